/**
 * The same scenario, seed and client behaviour: the same frames, faults and verdict, in a thousand runs. Keepalives, process
 * ids and keys are excepted, and so are the times that a verdict tells.
 */
import { describe, expect, it } from '@jest/globals';
import { createLiveServer } from '../../src/live/index.js';
import { loadScenario } from '../../src/scenario-file.js';
import { requireScenario } from '../../src/scenario/index.js';
import { FaultClient, type Received } from '../faults/client.js';

const runs = 1_000;
const together = 10;

const text = `
scenario: Everything goes wrong, in order
seed: 7
server: { version: 17, lsn: 0/1500000 }
tables:
  t: { columns: { id: int primary key, v: text } }
stream:
  - { insert: t, row: { id: 1, v: '{{person.fullName}}' } }
  - label: first
  - disconnect: { how: reset }
  - network: { chunk: 40 }
  - wire: { corrupt: insert, byte: 3, to: 1 }
  - { insert: t, row: { id: 2, v: !generate } }
  - skip: relation
  - cut: { in: update, at: 33 }
  - transaction:
      changes:
        - { update: t, where: { id: 1 }, set: { id: 3 } }
        - stall: 5ms
        - { delete: t, where: { id: 2 } }
  - resend: { from: first }
  - notice: { message: now }
  - error: { code: 58P01, message: gone }
  - repeat: 20
    changes: [{ insert: t, row: { id: '{{index}}00', v: '{{lorem.word}}' } }]
expect:
  - flushed: end
  - connections: { min: 3, max: 5 }
  - reconnect: { start_lsn: { at_least: 0/1500000 } }
  - never: confirmed_unsent
  - never: lsn_went_back
  - flushed: 0/9900000
`;

const commit = 0x43;

/** End of the last transaction that came whole. */
function lastEnd(messages: readonly Received[]): bigint | undefined {
  return messages.findLast(({ type, bytes }) => type === 'w' && bytes[30] === commit)?.bytes.readBigUInt64BE(40);
}

/** Follows the stream until its end, confirms each transaction's end, and connects again, up to a number of times. */
async function consume(port: number, transactions: number): Promise<string[]> {
  const received: string[] = [];
  let position = 0x1500000n;
  let seen = 0;
  for (let connection = 0; connection < 8 && seen < transactions; connection++) {
    const client = await FaultClient.connect({ port });
    client.start({ lsn: `0/${position.toString(16)}` });
    await client.until((messages) => {
      const end = lastEnd(messages);
      if (end !== undefined && end > position) client.confirm((position = end));
      seen = messages.filter(({ type, bytes }) => type === 'w' && bytes[30] === commit).length;
      return client.ended !== undefined || messages.some(({ type }) => type === 'E') || seen >= transactions;
    });
    received.push(
      `${client.ended} ${Buffer.concat([...client.data.map(({ bytes }) => bytes), client.rest]).toString('hex')}`,
    );
    client.socket.destroy();
  }
  return received;
}

async function oneRun(): Promise<string> {
  const scenario = requireScenario(loadScenario(text, { file: 'all.yaml' }));
  const live = await createLiveServer({ scenarios: [scenario] });
  await live.listen();
  try {
    const { port } = live.server.address;
    const frames = await consume(port, 20);
    const faults = live.history.flatMap((event) => (event.kind === 'fault' ? [event.did] : []));
    const verdict = live.verdict
      .findings(live.clock.monotonic())
      .map(({ status, expected, seen }) => [status, expected, seen.replace(/\b[\d.]+ m?s\b/g, 'T')]);
    return JSON.stringify({ frames, faults, verdict });
  } finally {
    await live.close({ grace: 0 });
  }
}

describe('a scenario with faults', () => {
  it(`gives the same frames, faults and verdict in ${runs} runs`, async () => {
    const outcomes = new Map<string, number>();
    for (let done = 0; done < runs; done += together) {
      const batch = await Promise.all(Array.from({ length: together }, oneRun));
      for (const outcome of batch) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    const [first, ...others] = outcomes.keys();
    // The difference is shown, not a thousand outcomes.
    for (const other of others.slice(0, 1)) expect(JSON.parse(other)).toEqual(JSON.parse(first!));
    expect([...outcomes.values()]).toEqual([runs]);
    const { frames, faults, verdict } = JSON.parse(first!) as Record<string, unknown[]>;
    expect(frames!.length).toBeGreaterThan(3);
    expect(faults!.length).toBeGreaterThan(6);
    expect(new Set(verdict!.map((finding) => (finding as string[])[0]))).toEqual(new Set(['met', 'open']));
  });
});
