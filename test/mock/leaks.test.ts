import { describe, expect, it } from '@jest/globals';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { query, setupWalsender, table } from '../../src/index.js';
import { consume } from './consumer.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const users = table('users', { id: 'int8 primary key' });
const server = setupWalsender(
  users,
  query('x', () => query.rows([])),
);

/** Of the kinds that a server could leave behind; Jest has some of its own. */
function openHandles(): number {
  return process.getActiveResourcesInfo().filter((kind) => /TCP|Timeout|Immediate|Pipe/.test(kind)).length;
}

async function cycles(count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    await server.listen();
    if (i % 10 === 0) {
      const consumer = await consume(server.url);
      await server.publish(users.insert({ id: BigInt(i) }));
      await consumer.received('commit');
    }
    await server.close();
  }
}

/** What is in the heap once nothing is to be collected any more, in bytes. */
async function heapUsed(): Promise<number> {
  for (let i = 0; i < 3; i++) {
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
  }
  return process.memoryUsage().heapUsed;
}

describe('200 times listen and close', () => {
  it('leave no handle, no listener and no memory', async () => {
    // What is loaded and compiled at first stays.
    await cycles(20);
    const before = { handles: openHandles(), listeners: process.eventNames().length, heap: await heapUsed() };
    await cycles(200);
    const after = { handles: openHandles(), listeners: process.eventNames().length, heap: await heapUsed() };
    expect(after.handles).toBeLessThanOrEqual(before.handles);
    expect(after.listeners).toBe(before.listeners);
    // A server that stayed would be more than 50 kB each.
    expect(after.heap - before.heap).toBeLessThan(200 * 10_000);
  }, 60_000);
});
