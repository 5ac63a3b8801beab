/** The annotated dump as a whole. The bytes are put together by hand after the manual's message formats. */
import { describe, expect, it } from '@jest/globals';
import { explainedToJson, Explainer, TextDump, type ExplainerOptions, type Payload } from '../../src/explain/index.js';

const relation = '52 00004001 7075626c696300 7400 64 0002 01 696400 00000017 ffffffff 00 7600 00000413 0000007c';
const insert = '49 00004001 4e 0002 74 00000001 31 6e';
const begin = '42 0000000001500100 0000000000000000 000002ef';
const commit = '43 00 0000000001500100 0000000001500130 0000000000000000';

function payload(hex: string, rest: Omit<Payload, 'bytes'> = {}): Payload {
  return { bytes: Buffer.from(hex.replaceAll(' ', ''), 'hex'), ...rest };
}

function dump(payloads: readonly Payload[], options: ExplainerOptions = {}, full = false): string[] {
  const explainer = new Explainer(options);
  const text = new TextDump({ full });
  return payloads.flatMap((each) => text.lines(explainer.next(each)));
}

describe('the text', () => {
  it('says of each field where it is, its bytes, name, value and meaning', () => {
    const source = { file: 'a.yaml', line: 7, column: 5 };
    expect(
      dump([payload(begin, { lsn: 0x1500028n, source }), payload(relation, { lsn: 0n }), payload(insert)]),
    ).toEqual([
      'Transaction 751, committed 2000-01-01T00:00:00.000000Z ────────────────────────',
      '',
      '#1 begin  at 0/1500028, 21 bytes, a.yaml:7:5',
      '    0000  42                       type          B                            begin',
      '    0001  00 00 00 00 01 50 01 00  finalLsn      0/1500100                    start of the commit record',
      '    0009  00 00 00 00 00 00 00 00  commitTime    2000-01-01T00:00:00.000000Z  when it was committed',
      '    0011  00 00 02 ef              xid           751                          transaction',
      '',
      '#2 relation public.t  at 0/0, 40 bytes',
      '    0000  52                       type                     R         relation',
      '    0001  00 00 40 01              relationId               16385     OID of the relation',
      '    0005  70 75 62 6c 69 63 00     namespace                public    its schema, empty for pg_catalog',
      '    000c  74 00                    name                     t         its name',
      '    000e  64                       replicaIdentity          d         d default, n nothing, f full, i index',
      '    000f  00 02                    columns.count            2         columns',
      '    0011  01                       columns[0].flags         1         key',
      '    0012  69 64 00                 columns[0].name          id        column',
      '    0015  00 00 00 17              columns[0].typeOid       23        OID of its type: integer',
      '    0019  ff ff ff ff              columns[0].typeModifier  -1        atttypmod, -1 for none',
      '    001d  00                       columns[1].flags         0         none set',
      '    001e  76 00                    columns[1].name          v         column',
      '    0020  00 00 04 13              columns[1].typeOid       1043      OID of its type: character varying',
      '    0024  00 00 00 7c              columns[1].typeModifier  124       atttypmod: character varying(120)',
      '',
      '#3 insert public.t  15 bytes',
      '    0000  49                       type                I         insert',
      '    0001  00 00 40 01              relationId          16385     OID of the relation: t',
      '    0005  4e                       newTuple.marker     N         new row',
      '    0006  00 02                    newTuple.count      2         columns',
      '    0008  74                       newTuple[0].kind    t         id: text form',
      '    0009  00 00 00 01              newTuple[0].length  1         bytes',
      '    000d  31                       newTuple[0]         1         id',
      '    000e  6e                       newTuple[1].kind    n         v: NULL',
    ]);
  });

  it('shows XLogData’s header on request', () => {
    expect(dump([payload('45', { lsn: 0x1500028n, time: 0n })], { header: true, inStream: true }).slice(2)).toEqual([
      '#1 streamStop  at 0/1500028, 26 bytes',
      '    0000  77                       header.type      w                            XLogData',
      '    0001  00 00 00 00 01 50 00 28  header.walStart  0/1500028                    where its data starts in WAL',
      '    0009  00 00 00 00 01 50 00 28  header.walEnd    0/1500028                    for logical replication the same',
      '    0011  00 00 00 00 00 00 00 00  header.sendTime  2000-01-01T00:00:00.000000Z  when it was sent',
      '    0019  45                       type             E                            streamStop',
    ]);
  });

  it('shows of a long value its start, and all of it when asked', () => {
    const long = `49 00004001 4e 0001 74 00000064 ${'61'.repeat(100)}`;
    const lines = dump([payload(long)]);
    expect(lines.slice(-5)).toEqual([
      `    000d  61 61 61 61 61 61 61 61  newTuple[0]         ${'a'.repeat(39)}…  value`,
      '    0015  61 61 61 61 61 61 61 61',
      '    001d  61 61 61 61 61 61 61 61',
      '    0025  61 61 61 61 61 61 61 61',
      '          … 68 bytes more',
    ]);
    expect(dump([payload(long)], {}, true)).toHaveLength(lines.length + 8);
  });

  it('colours its parts', () => {
    const dump = new TextDump({ paint: (style, text) => `<${style}>${text}</>` });
    const [title, , heading, first] = dump.lines(new Explainer({ inStream: true }).next(payload('45')));
    expect(title).toMatch(/^<title>Outside of transactions<\/> <faint>─+<\/>$/);
    expect(heading).toBe('<faint>#1</> <kind>streamStop</>  <faint>1 byte</>');
    expect(first).toMatch(/^ {4}<faint>0000<\/> {2}45 +type +<value>E +<\/> {2}<faint>streamStop<\/>$/);
  });

  it('keeps the reader’s terminal safe', () => {
    const name = Buffer.from('\u001b[2J\0').toString('hex');
    const text = dump([payload(`52 00004001 ${name} ${name} 64 0001 00 ${name} 00000019 ffffffff`)]).join('\n');
    expect(text).not.toContain('\u001b');
    expect(text).toContain('"\\u001b[2J"');
  });

  it('goes as far as bytes make sense, says why not further, and goes on with the next message', () => {
    expect(dump([payload('49 00004001 4e 0001 78 31', { place: 'line 1' }), payload(begin)])).toEqual([
      'Outside of transactions ───────────────────────────────────────────────────────',
      '',
      '#1 unreadable  10 bytes, line 1',
      '    0000  49                       type             I         insert',
      '    0001  00 00 40 01              relationId       16385     OID of the relation',
      '    0005  4e                       newTuple.marker  N         new row',
      '    0006  00 01                    newTuple.count   1         columns',
      '    0008  78 31                    not understood',
      expect.stringMatching(/^ {4}error: insert\.newTuple\[0\]: expected .* at offset 8, found 0x78 \(x\)$/),
      '',
      'Transaction 751, committed 2000-01-01T00:00:00.000000Z ────────────────────────',
      '',
      '#2 begin  21 bytes',
      ...Array.from({ length: 4 }, () => expect.any(String)),
    ]);
  });
});

describe('the transactions', () => {
  const streamStart = (xid: string, first: string): Payload => payload(`53 ${xid} ${first}`);
  const streamStop = payload('45');

  it('are told apart by their blocks and ends', () => {
    const titles = dump([
      payload(begin),
      payload(commit),
      payload('4d 00 0000000001500200 7000 00000000'),
      streamStart('00000300', '01'),
      streamStop,
      streamStart('00000301', '01'),
      streamStop,
      payload('41 00000301 00000302'),
      streamStart('00000300', '00'),
      streamStop,
      payload('63 00000300 00 0000000001500100 0000000001500130 0000000000000000'),
      payload('41 00000301 00000301'),
      // The xid comes again, a generation later.
      payload('62 0000000001500100 0000000001500130 0000000000000000 00000301 6700'),
      payload('50 00 0000000001500100 0000000001500130 0000000000000000 00000301 6700'),
      payload('4b 00 0000000001500200 0000000001500230 0000000000000000 00000301 6700'),
    ])
      .filter((line) => line.includes('───'))
      .map((line) => line.replace(/ ─+$/, ''));
    expect(titles).toEqual([
      'Transaction 751, committed 2000-01-01T00:00:00.000000Z',
      'Outside of transactions',
      'Transaction 768, streamed block 1',
      'Transaction 769, streamed block 1',
      'Transaction 769, subtransaction 770 rolled back',
      'Transaction 768, streamed block 2',
      'Transaction 768, streamed, committed 2000-01-01T00:00:00.000000Z',
      'Transaction 769, streamed, rolled back',
      'Transaction 769, prepared 2000-01-01T00:00:00.000000Z',
      'Transaction 769, prepared, committed 2000-01-01T00:00:00.000000Z',
    ]);
  });
});

describe('the JSON', () => {
  it('has the same for programs', () => {
    const source = { file: 'a.yaml', line: 7, column: 5 };
    const explained = explainedToJson(
      new Explainer({ inStream: true }).next(payload('45', { lsn: 0x1500028n, source })),
    );
    expect(explained).toEqual({
      number: 1,
      kind: 'streamStop',
      subject: '',
      lsn: '0/1500028',
      xid: null,
      source,
      place: null,
      hex: '45',
      fields: [{ offset: 0, length: 1, path: 'type', value: 'E', meaning: 'streamStop' }],
      error: null,
    });
    expect(explainedToJson(new Explainer().next(payload('45')))).toMatchObject({ kind: null, error: { offset: 0 } });
  });
});
