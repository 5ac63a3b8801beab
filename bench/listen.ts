/** What `setupWalsender(…).listen()` costs, beside a bare net server. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setupWalsender, table } from '../src/index.js';

const cycles = 300;

async function bare(): Promise<() => Promise<unknown>> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return () => new Promise((resolve) => server.close(resolve));
}

const users = table('users', { id: 'int8 primary key', email: 'text' });

async function mock(): Promise<() => Promise<unknown>> {
  const server = await setupWalsender(users).listen();
  return () => server.close();
}

const contenders = [
  { name: 'net.createServer', listen: bare },
  { name: 'setupWalsender', listen: mock },
];

/** Milliseconds of listening, by contender: in turn, so that whatever else the machine does befalls both alike. */
async function measure(): Promise<number[][]> {
  const times: number[][] = contenders.map(() => []);
  for (let cycle = 0; cycle < cycles; cycle++) {
    for (const [i, { listen }] of contenders.entries()) {
      const start = performance.now();
      const close = await listen();
      times[i]!.push(performance.now() - start);
      await close();
    }
  }
  return times;
}

function quantile(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * share)]!;
}

const first = performance.now();
const closeFirst = await mock();
console.log(`the first in a process: ${(performance.now() - first).toFixed(1)} ms`);
await closeFirst();
for (const [i, times] of (await measure()).entries()) {
  const [median, late] = [0.5, 0.95].map((share) => quantile(times, share).toFixed(3));
  console.log(`${contenders[i]!.name.padEnd(18)} median ${median} ms, 95 % below ${late} ms`);
}
