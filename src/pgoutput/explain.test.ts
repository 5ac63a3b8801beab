import { describe, expect, it } from '@jest/globals';
import { explain } from './explain.js';
import type { Relation } from './messages.js';

function bytes(hex: string): Uint8Array {
  return Buffer.from(hex.replaceAll(' ', ''), 'hex');
}

const gt: Relation = {
  kind: 'relation',
  relationId: 0x85bb,
  namespace: 'public',
  name: 'gt',
  replicaIdentity: 'default',
  columns: [
    { key: true, name: 'id', typeOid: 23, typeModifier: -1 },
    { key: false, name: 'big', typeOid: 25, typeModifier: -1 },
  ],
};

/** One line per field: what a reader of a dump sees. */
function lines(hex: string, context = {}): string[] {
  return explain(bytes(hex), context).fields.map(
    ({ offset, length, path, value, meaning }) => `${offset}+${length} ${path} = ${value}: ${meaning}`,
  );
}

describe('explain', () => {
  it('tells every field of a row', () => {
    expect(
      lines('55 00000643 000085bb 4b 0002 74 00000001 31 6e 4e 0002 74 00000001 32 75', {
        inStream: true,
        relations: [gt],
      }),
    ).toEqual([
      '0+1 type = U: update',
      '1+4 xid = 1603: transaction',
      '5+4 relationId = 34235: OID of the relation: gt',
      '9+1 oldTuple.marker = K: old values of the replica identity',
      '10+2 oldTuple.count = 2: columns',
      '12+1 oldTuple[0].kind = t: id: text form',
      '13+4 oldTuple[0].length = 1: bytes',
      '17+1 oldTuple[0] = 1: id',
      '18+1 oldTuple[1].kind = n: big: NULL',
      '19+1 newTuple.marker = N: new row',
      '20+2 newTuple.count = 2: columns',
      '22+1 newTuple[0].kind = t: id: text form',
      '23+4 newTuple[0].length = 1: bytes',
      '27+1 newTuple[0] = 2: id',
      '28+1 newTuple[1].kind = u: big: unchanged, stored out of line',
    ]);
  });

  it('tells LSNs and times as one writes them, flags by name', () => {
    expect(lines('42 000000000e057800 0003047dd2d16f9d 00000632')).toEqual([
      '0+1 type = B: begin',
      '1+8 finalLsn = 0/E057800: start of the commit record',
      '9+8 commitTime = 2026-11-30T14:16:24.496029Z: when it was committed',
      '17+4 xid = 1586: transaction',
    ]);
    expect(lines('54 00000001 03 000085bb').slice(1)).toEqual([
      '1+4 relationCount = 1: relations',
      '5+1 flags = 3: cascade, restartIdentity',
      '6+4 relationIds[0] = 34235: OID of a relation',
    ]);
  });

  it('goes as far as the bytes make sense', () => {
    const { fields, error } = explain(bytes('49 000085bb 4e 0002 6e 78 6e6e6e'));
    expect(fields.at(-1)).toMatchObject({ offset: 8, path: 'newTuple[0].kind', value: 'n' });
    expect(error).toMatchObject({ field: 'newTuple[1]', offset: 9, found: '0x78 (x)' });
  });
});
