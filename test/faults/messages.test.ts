/** Faults in and between messages, byte by byte at the socket. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { closeAll, FaultClient, fields, scenarioText, serve, walEnd, withoutFaults } from './client.js';

afterEach(closeAll);

const insert = (id: number, v = 'x'): string => `  - insert: t\n    row: { id: ${id}, v: ${v} }`;
const started = async (stream: string, server?: string) => {
  const served = await serve(scenarioText(stream, server));
  const client = await FaultClient.connect(served);
  return { served, client: client.start() };
};

/** Begin, Relation, Insert, Commit. */
const plain = (): Promise<Buffer[]> => withoutFaults(insert(1), 4);

describe('cut', () => {
  // Header of Insert: 'd', length, 'w', three times eight bytes; payload: 'I', OID, 'N', two columns 't' '1' and 't' 'x'.
  const insertLength = 30 + 1 + 4 + 1 + 2 + 2 * (1 + 4 + 1);

  it.each([0, 1, 4, 5, 7, 30, 31, insertLength - 1, insertLength])('closes after %i bytes of Insert', async (at) => {
    const { served, client } = await started(`  - cut: { in: insert, at: ${at} }\n${insert(1)}\n${insert(2)}`);
    expect(await client.end()).toBe('end');
    const [begin, relation, inserted] = await plain();
    expect(inserted).toHaveLength(insertLength);
    const sent = Buffer.concat([...client.data.slice(1).map(({ bytes }) => bytes), client.rest]);
    expect(sent).toEqual(Buffer.concat([begin!, relation!, inserted!.subarray(0, at)]));
    expect(served.done()).toEqual([`closed after ${at} of the ${insertLength} bytes of insert`]);
    const lsn = inserted!.readBigUInt64BE(6);
    expect(served.events.filter(({ kind }) => kind === 'fault')).toMatchObject([{ slot: 's', lsn, step: { at } }]);
  });

  it('closes inside the next message, whatever it is', async () => {
    const { served, client } = await started(`  - cut: { in: next_message, at: 3 }\n${insert(1)}`);
    expect(await client.end()).toBe('end');
    expect(client.data.map(({ type }) => type)).toEqual(['W']);
    expect(client.rest.toString('latin1')).toBe('d\0\0');
    expect(served.done()).toEqual(['closed after 3 of the 51 bytes of begin']);
  });

  it('resets after the bytes have arrived', async () => {
    const { client } = await started(`  - cut: { in: commit, at: 9, how: reset }\n${insert(1)}`);
    expect(await client.end()).toBe('reset');
    expect(client.rest).toEqual((await plain())[3]!.subarray(0, 9));
  });

  it('falls silent for ever, until nobody waits any longer', async () => {
    const { served, client } = await started(
      `  - cut: { in: relation, at: 6, how: half-open }\n${insert(1)}`,
      'version: 17, wal_sender_timeout: 100ms',
    );
    await client.until(() => client.rest.length > 0);
    await served.happened('disconnect');
    expect(client.ended).toBeUndefined();
    expect(client.rest).toEqual((await plain())[1]!.subarray(0, 6));
    expect(served.server.cluster.slots.get('s').activePid).toBeNull();
  });

  it('happens once: who comes again gets past it', async () => {
    const { served, client } = await started(`  - cut: { in: insert, at: 1 }\n${insert(1)}`);
    await client.end();
    const again = await (await FaultClient.connect(served)).start().untilCommits(1);
    expect(again.outline).toBe('W wB wR wI wC');
  });

  it('happens as often as `times` says, and to the slot that `slot` names', async () => {
    const served = await serve(scenarioText(`  - cut: { in: insert, at: 1 }\n    times: 2\n    slot: a\n${insert(1)}`));
    for (const [slot, ends] of [
      ['b', false],
      ['a', true],
      ['a', true],
      ['a', false],
    ] as const) {
      const client = (await FaultClient.connect(served)).start({ slot });
      if (ends) expect(await client.end()).toBe('end');
      else expect((await client.untilCommits(1)).outline).toBe('W wB wR wI wC');
    }
  });
});

describe('whatever was negotiated', () => {
  const stream = `  - open: big
    changes:
      - insert: t
        row: { id: 1, v: x }
      - skip: update
      - update: t
        where: { id: 1 }
        set: { v: y }
      - insert: t
        row: { id: 2, v: x }
      - cut: { in: insert, at: 33 }
      - insert: t
        row: { id: 3, v: x }
  - commit: big`;

  // Inside a block the xid comes first, four bytes.
  it.each([
    [`proto_version '1'`, 'W wB wR wI wI', 'I\0\0'],
    [`proto_version '2', streaming 'on'`, 'W wS wR wI wI', 'I\0\0'],
    [`proto_version '4', streaming 'parallel', binary 'true'`, 'W wS wR wI wI', 'I\0\0'],
  ])('%s: faults come in their place, in streamed blocks too', async (options, outline, rest) => {
    const client = await FaultClient.connect(await serve(scenarioText(stream)));
    expect(await client.start({ options }).end()).toBe('end');
    expect(client.outline).toBe(outline);
    expect(client.rest.subarray(30).toString('latin1')).toBe(rest);
  });
});

describe('the same scenario', () => {
  it('gives the same bytes and the same faults each time, keepalives excepted', async () => {
    const text = scenarioText(`  - label: here
${insert(1)}
  - wire: { corrupt: insert, byte: 3, to: 1 }
  - skip: commit
  - network: { chunk: 40 }
${insert(2)}
  - resend: { from: here }
  - notice: { message: now }
  - cut: { in: update, at: 33 }
  - update: t
    where: { id: 2 }
    set: { v: z }`);
    const runs = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const served = await serve(text);
        const client = (await FaultClient.connect(served)).start();
        const ending = await client.end();
        const bytes = Buffer.concat([...client.data.map((message) => message.bytes), client.rest]).toString('hex');
        return JSON.stringify([ending, bytes, served.done()]);
      }),
    );
    expect(new Set(runs).size).toBe(1);
    expect((JSON.parse(runs[0]!) as [string, string, string[]])[2]).toEqual([
      'network: chunk of 40 bytes',
      'changed byte 3 of the 20 bytes of insert from 0x40 to 0x01',
      'left out the 56 bytes of commit',
      expect.stringMatching(/^sends again from 0\/1500000 to 0\/1500[0-9A-F]{3}$/),
      'sent NOTICE 00000',
      'closed after 33 of the 50 bytes of update',
    ]);
  });
});

describe('wire', () => {
  it('sends a payload as XLogData', async () => {
    const { served, client } = await started(`  - wire: { hex: "55 00 FF" }`);
    await client.untilData(2);
    const { bytes } = client.data[1]!;
    expect(bytes.subarray(0, 6).toString('latin1')).toBe('d\0\0\0\x20w');
    expect([bytes.readBigUInt64BE(6), bytes.readBigUInt64BE(14)]).toEqual([0x150_0000n, 0x150_0000n]);
    expect(bytes.subarray(30).toString('hex')).toBe('5500ff');
    expect(served.done()).toEqual(['sent XLogData with a payload of 3 bytes']);
  });

  it('sends bytes unframed: wrong lengths, unknown kinds', async () => {
    const { client } = await started(`  - wire: { frame: "3F 00 00 00 05 01" }\n  - wire: { frame: "64 7F FF" }`);
    await client.until(() => client.bytes.includes('3f0000000501647fff', 0, 'hex'));
    // CopyBothResponse, perhaps keepalives, then nothing but these.
    expect(client.messages.map(({ type }) => type).filter((type) => type !== 'k')).toEqual(['W', '?']);
  });

  it('changes one byte of a message', async () => {
    const { served, client } = await started(
      `  - wire: { corrupt: insert, byte: 5, to: 0xFF }\n${insert(1)}\n${insert(2)}`,
    );
    await client.untilCommits(2);
    const [, , inserted] = await plain();
    const [first, second] = client.data.filter(({ bytes }) => bytes[30] === 0x49).map(({ bytes }) => bytes);
    const changed = Buffer.from(inserted!);
    changed[35] = 0xff;
    expect(first).toEqual(changed);
    expect(second![35]).toBe('N'.charCodeAt(0));
    expect(served.done()).toEqual(['changed byte 5 of the 20 bytes of insert from 0x4E to 0xFF']);
  });

  it('says so when there is no such byte', async () => {
    const { served, client } = await started(`  - wire: { corrupt: insert, byte: 20, to: 1 }\n${insert(1)}`);
    await client.untilCommits(1);
    expect(served.done()).toEqual(['changed nothing: there is no byte 20 of the 20 bytes of insert']);
  });
});

describe('messages of their own', () => {
  it('skip leaves one out', async () => {
    const { served, client } = await started(`  - skip: relation\n${insert(1)}\n${insert(2)}`);
    await client.untilCommits(2);
    expect(client.outline).toBe('W wB wI wC wB wI wC');
    expect(served.done()).toEqual(['left out the 70 bytes of relation']);
  });

  it('announce sends Relation once more', async () => {
    const { client } = await started(
      `  - transaction: { changes: [{ insert: t, row: { id: 1 } }, { announce: [t] }, { insert: t, row: { id: 2 } }] }`,
    );
    await client.untilCommits(1);
    expect(client.outline).toBe('W wB wR wI wR wI wC');
  });

  it('notice and parameter come in their place, inside a transaction too', async () => {
    const { client } = await started(`  - transaction:
      changes:
        - insert: t
          row: { id: 1 }
        - notice: { severity: WARNING, message: "low on space", context: "writing" }
        - parameter: { TimeZone: Europe/Berlin, in_hot_standby: "off" }
        - insert: t
          row: { id: 2 }`);
    await client.untilCommits(1);
    expect(client.outline).toBe('W wB wR wI N S S wI wC');
    const notice = client.data[4]!;
    expect(fields(notice)).toEqual({ S: 'WARNING', V: 'WARNING', C: '01000', M: 'low on space', W: 'writing' });
    expect(client.data.slice(5, 7).map(({ bytes }) => bytes.toString('latin1', 5))).toEqual([
      'TimeZone\0Europe/Berlin\0',
      'in_hot_standby\0off\0',
    ]);
  });

  it('error ends the stream, FATAL the connection', async () => {
    const { served, client } = await started(
      `${insert(1)}\n  - error: { code: XX000, message: "no", detail: d }\n  - error: { code: "57P05", message: gone, severity: FATAL }\n${insert(2)}`,
    );
    await client.until((messages) => messages.at(-1)?.type === 'Z');
    expect(client.outline).toBe('W wB wR wI wC E Z');
    expect(fields(client.data.at(-2)!)).toEqual({ S: 'ERROR', V: 'ERROR', C: 'XX000', M: 'no', D: 'd' });
    expect(await client.start().end()).toBe('end');
    expect(client.outline).toBe('W wB wR wI wC E');
    expect(fields(client.data.at(-1)!)['C']).toBe('57P05');
    expect(served.done()).toEqual(['sent ERROR XX000', 'sent FATAL 57P05']);
  });
});

describe('resend', () => {
  it('delivers again what came before, once, and goes on', async () => {
    const stream = `${insert(1)}\n  - label: here\n${insert(2)}\n  - resend: { from: here }\n${insert(3)}`;
    const { served, client } = await started(stream);
    await client.untilCommits(4);
    // Decoded anew, so its Relation comes again.
    expect(client.outline).toBe('W wB wR wI wC wB wI wC wB wR wI wC wB wI wC');
    const rows = client.data
      .filter(({ bytes }) => bytes[30] === 0x49)
      .map(({ bytes }) => bytes.toString('latin1', 43, 44));
    expect(rows).toEqual(['1', '2', '2', '3']);
    const positions = client.data.slice(1).map(({ bytes }) => bytes.readBigUInt64BE(6));
    expect(positions[11]).toBe(positions[6]);
    expect(served.done()).toHaveLength(1);
  });

  it('works inside a transaction: its beginning comes twice', async () => {
    const { client } = await started(`  - label: here
  - transaction:
      changes:
        - insert: t
          row: { id: 1 }
        - resend: { from: here }
        - insert: t
          row: { id: 2 }`);
    await client.untilCommits(1);
    expect(client.outline).toBe('W wB wR wI wB wR wI wI wC');
  });

  it('works inside a streamed block, whose xids stay where they belong', async () => {
    const { client } = await started(`  - label: here
  - open: big
    changes:
      - insert: t
        row: { id: 1 }
      - resend: { from: here }
      - insert: t
        row: { id: 2 }
  - commit: big`);
    client.forget().send(Buffer.alloc(0));
    const second = await FaultClient.connect({ port: client.socket.remotePort! });
    second.start({ slot: 'other', options: `proto_version '2', streaming 'on'` });
    await second.until((messages) => messages.some(({ bytes }) => bytes[30] === 0x63));
    expect(second.outline).toMatch(/^W wS wR wI( wS wR wI)? wI wE wc$/);
  });

  it('says so when there is nothing to send again', async () => {
    const { served, client } = await started(`  - resend: { from: 1/0 }\n${insert(1)}`);
    await client.untilCommits(1);
    expect(served.done()).toEqual(['sent nothing again: 1/0 lies ahead']);
  });

  it('keeps a bounded amount of what a client does not read', async () => {
    const stream = `  - repeat: 3000\n    changes: [{ insert: t, row: { id: "{{index}}", v: "${'y'.repeat(500)}" } }]\n  - resend: { from: 0/1500000 }`;
    const { client } = await started(stream);
    await client.untilCommits(6000);
    const inserts = client.data.filter(({ bytes }) => bytes[30] === 0x49).map(({ bytes }) => bytes.subarray(30));
    expect(inserts).toHaveLength(6000);
    expect(Buffer.concat(inserts.slice(3000)).equals(Buffer.concat(inserts.slice(0, 3000)))).toBe(true);
  });
});

describe('keepalive', () => {
  it('floods, with positions that run ahead', async () => {
    const { served, client } = await started(
      `  - keepalive: { count: 2000, wal_end: +16MB, clock: 2000-01-01T00:00:00Z }\n${insert(1)}`,
    );
    await client.untilCommits(1);
    const flood = client.messages.filter(({ type, bytes }) => type === 'k' && bytes.readBigUInt64BE(14) === 0n);
    expect(flood).toHaveLength(2000);
    expect(flood.map(walEnd)).toEqual(
      Array.from({ length: 2000 }, (_, i) => 0x150_0000n + BigInt(i + 1) * 0x100_0000n),
    );
    expect(served.done()).toEqual(['sends 2000 keepalives, the first with 0/2500000']);
  });

  it('lies behind, or where it is told to', async () => {
    const { client } = await started(
      `${insert(1)}\n  - keepalive: { wal_end: -200B, reply: true }\n  - keepalive: { wal_end: A/1 }`,
    );
    await client.until((messages) =>
      messages.some((message) => message.type === 'k' && walEnd(message) === 0xa_0000_0001n),
    );
    const commit = client.data.at(-1)!.bytes.readBigUInt64BE(6);
    const [asking] = client.messages.filter(({ type, bytes }) => type === 'k' && bytes[22] === 1);
    expect(walEnd(asking!)).toBe(commit - 200n);
  });

  it('comes every so often, and data after the last', async () => {
    const { served, client } = await started(`  - keepalive: { count: 4, every: 20ms, wal_end: +1kB }\n${insert(1)}`);
    await client.untilCommits(1);
    const ends = client.messages.filter(({ type }) => type === 'k').map(walEnd);
    expect(ends.filter((end) => end > 0x150_0000n).slice(0, 4)).toEqual(
      [1n, 2n, 3n, 4n].map((n) => 0x150_0000n + n * 1024n),
    );
    expect(client.pieces.at(-1)!.at - served.faultAt()).toBeGreaterThanOrEqual(60);
  });

  it('is off, but for those that the scenario sends', async () => {
    const { client } = await started(
      `  - keepalive: off\n${insert(1)}\n  - keepalive: { count: 3 }\n  - keepalive: on\n${insert(2)}`,
    );
    await client.untilCommits(2);
    const order = client.messages.map(({ type, bytes }) => (type === 'w' ? String.fromCharCode(bytes[30]!) : type));
    expect(order.join('')).toMatch(/^WBRICkkkk*BIC/);
  });

  it('is off: none, not even when asked for, and the timeout holds all the same', async () => {
    const { client } = await started(`  - keepalive: off\n${insert(1)}`, 'version: 17, wal_sender_timeout: 200ms');
    await client.untilCommits(1);
    const before = client.messages.filter(({ type }) => type === 'k').length;
    expect(await client.end()).toBe('reset');
    expect(client.messages.filter(({ type }) => type === 'k')).toHaveLength(before);
  });
});
