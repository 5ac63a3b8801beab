/** The whole path from a timeline to bytes (decoding, output plugin, encoding), beside a hand-written loop that writes the same rows. */
import assert from 'node:assert/strict';
import { Writer } from '../src/bytes/writer.js';
import { Database, type OpenTransaction } from '../src/database/index.js';
import { encodeInto } from '../src/pgoutput/encode.js';
import type { Update } from '../src/pgoutput/messages.js';
import { defaultSettings, typeByName } from '../src/postgres/index.js';
import { createEmitter } from '../src/timeline/emit.js';
import type { EmitSession, Emitter, EmitSink } from '../src/timeline/emitter.js';
import type { Timeline } from '../src/timeline/timeline.js';
import { HandWritten } from './hand-written.js';
import { race, warmUp, type Contender } from './measure.js';
import { updatesWithKey } from './subjects.js';

const bufferSize = 1 << 16;
const major = 18;
const relationId = 16385;
const names = ['id', 'name', 'email', 'state', 'since'];
const context = { protoVersion: 1, streaming: 'off', inStream: false } as const;
const table = { namespace: 'public', name: 'users' };

function newDatabase(): Database {
  const server = { major, version: '18.0', systemId: '1', timelineId: 1, startLsn: 0x1500000n, clock: 0n };
  const database = new Database({ server, clockStep: 1_000_000n, nextXid: 750 });
  const columns = names.map((name) => ({ name, type: typeByName('text')! }));
  database.createTable({ ...table, oid: relationId, columns, primaryKey: { columns: ['id'] } });
  return database;
}

function update(transaction: OpenTransaction, message: Update): void {
  const row = Object.fromEntries(names.map((name, i) => [name, message.newTuple[i] as string]));
  transaction.update(table, { key: { id: message.oldTuple!.columns[0] as string }, new: row });
}

/** The updates of subjects.ts, `perTransaction` of them in each transaction. */
function timelineOf(transactions: number, perTransaction: number): Timeline {
  const database = newDatabase();
  let next = 0;
  for (let i = 0; i < transactions; i++) {
    const transaction = database.begin();
    for (let j = 0; j < perTransaction; j++) update(transaction, updatesWithKey[next++ % updatesWithKey.length]!);
    transaction.commit();
  }
  return database.timeline;
}

const session: EmitSession = {
  slotName: 'bench',
  options: {
    protoVersion: 1,
    publicationNames: ['pub'],
    binary: false,
    messages: false,
    streaming: 'off',
    twoPhase: false,
    origin: 'any',
  },
  settings: defaultSettings(major),
  startLsn: 0n,
  twoPhase: false,
  twoPhaseAt: 0n,
  late: false,
};

/** Emits a timeline into a writer, over and over. */
class Path implements Contender {
  readonly #writer = new Writer(2 * bufferSize);
  #emitter: Emitter;
  #updates = 0;
  readonly #sink: EmitSink = {
    message: (message) => {
      if (this.#writer.position > bufferSize) this.#writer.position = 0;
      encodeInto(this.#writer, message, context);
      if (message.kind === 'update') this.#updates++;
    },
    notice: ({ message }) => assert.fail(message),
  };

  constructor(
    readonly name: string,
    private readonly timeline: Timeline,
  ) {
    this.#emitter = createEmitter(timeline, session, this.#sink);
  }

  run(count: number): void {
    const end = this.#updates + count;
    while (this.#updates < end) {
      if (this.#emitter.next().kind === 'idle') this.#emitter = createEmitter(this.timeline, session, this.#sink);
    }
  }
}

function handWritten(): Contender {
  const writer = new HandWritten();
  return {
    name: 'hand-written loop',
    run(count) {
      for (let i = 0; i < count; i++) {
        if (writer.offset > bufferSize) writer.offset = 0;
        writer.update(updatesWithKey[i % updatesWithKey.length]!);
      }
    },
  };
}

function assertSameUpdates(timeline: Timeline): void {
  const updates: Update[] = [];
  const sink: EmitSink = {
    message(message) {
      if (message.kind === 'update') updates.push(message);
    },
    notice: ({ message }) => assert.fail(message),
  };
  const emitter = createEmitter(timeline, session, sink);
  while (emitter.next().kind !== 'idle');
  updates.forEach((message, i) => assert.deepEqual(message, updatesWithKey[i % updatesWithKey.length]));
  assert.ok(updates.length >= updatesWithKey.length);
}

const large = timelineOf(1, 4096);
const small = timelineOf(4096, 1);
assertSameUpdates(large);
assertSameUpdates(small);
const contenders = [
  handWritten(),
  new Path('timeline, 4096 rows a transaction', large),
  new Path('timeline, one row a transaction (with Begin and Commit)', small),
];
warmUp(contenders);
console.log('\nTimeline to bytes: Update with K, 5 text columns');
for (const { name, nanoseconds, ratio } of race(contenders)) {
  const rate = Math.round(1e9 / nanoseconds)
    .toLocaleString('en')
    .padStart(12);
  console.log(`  ${name.padEnd(58)}${rate} rows/s   ${(1 / ratio).toFixed(2)} × the rate of the first`);
}

// Memory: ten million rows made by `repeat`, never all there at once.
const rows = 10_000_000;
const endless = newDatabase();
endless.repeat(rows, (publisher, index) => {
  const transaction = publisher.begin();
  update(transaction, updatesWithKey[index % updatesWithKey.length]!);
  transaction.commit();
});
let emitted = 0;
const counting: EmitSink = {
  message({ kind }) {
    if (kind === 'update') emitted++;
  },
  notice: ({ message }) => assert.fail(message),
};
const emitter = createEmitter(endless.timeline, session, counting);
const heaps: number[] = [];
for (let next = 0; emitter.next().kind !== 'idle';) {
  if (emitted < next) continue;
  globalThis.gc?.();
  heaps.push(process.memoryUsage().heapUsed / 1e6);
  next += rows / 10;
}
assert.equal(emitted, rows);
console.log(`\nHeap in MB at each tenth of ${rows.toLocaleString('en')} rows from repeat, after collecting garbage:`);
console.log(`  ${heaps.map((heap) => heap.toFixed(1)).join('  ')}`);
