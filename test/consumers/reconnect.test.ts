/** What a consumer has not confirmed comes again, whole transactions at a time; what it has confirmed does not. */
import { describe, expect, it } from '@jest/globals';
import { LogicalReplicationService, PgoutputPlugin } from 'pg-logical-replication';
import { serve, temporaryFile } from './programs.js';

const scenario = `
scenario: Three transactions of three rows
tables:
  t: { columns: { id: int primary key } }
stream:
${[1, 2, 3].map((n) => `  - transaction: { changes: [{ insert: t, rows: [{ id: ${n}1 }, { id: ${n}2 }, { id: ${n}3 }] }] }`).join('\n')}
`;

/** Follows slot s until `enough` says so of the ids received, and takes in nothing after that; confirms at each commit. */
async function follow(url: URL, enough: (ids: readonly number[]) => boolean): Promise<number[]> {
  const acknowledge = { auto: false, timeoutSeconds: 0 };
  const service = new LogicalReplicationService({ connectionString: url.href }, { acknowledge });
  const ids: number[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      service.on('error', reject);
      service.on('data', (_, message: { tag: string; new?: { id: number }; commitEndLsn?: string }) => {
        if (enough(ids)) return;
        if (message.new) ids.push(message.new.id);
        if (message.commitEndLsn) void service.acknowledge(message.commitEndLsn);
        if (enough(ids)) resolve();
      });
      service.subscribe(new PgoutputPlugin({ protoVersion: 1, publicationNames: ['p'] }), 's').catch(reject);
    });
  } finally {
    await service.stop();
  }
  return ids;
}

describe('a consumer that disconnects in the middle of the second of three transactions', () => {
  it('gets that whole transaction again, and not the first', async () => {
    const server = await serve(temporaryFile('three.yaml', scenario));
    expect(await follow(server.url, (ids) => ids.includes(22))).toEqual([11, 12, 13, 21, 22]);
    expect(await follow(server.url, (ids) => ids.includes(33))).toEqual([21, 22, 23, 31, 32, 33]);
  });
});
