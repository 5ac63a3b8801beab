/** Encode and decode rates of the row messages, beside what else could write the same bytes. */
import assert from 'node:assert/strict';
import { Writer } from '../src/bytes/writer.js';
import { createDecoder } from '../src/pgoutput/decoder.js';
import { encode, encodeInto } from '../src/pgoutput/encode.js';
import type { Insert, Update } from '../src/pgoutput/messages.js';
import { HandWritten } from './hand-written.js';
import { heapGrowth, race, warmUp, type Contender, type Result } from './measure.js';
import { PgProtocolWriter, writeInsert, writeUpdate } from './pg-protocol.js';
import { inserts, updatesWithKey, updatesWithOldRow } from './subjects.js';

type Row = Insert | Update;

/** Buffers are started over before they grow beyond what a walsender would gather before it writes to its socket. */
const bufferSize = 1 << 16;
const context = { protoVersion: 1, streaming: 'off', inStream: false } as const;

function encoders(messages: readonly Row[]): Contender[] {
  const payloads = messages.map((message) => encode(message, context));
  const writer = new Writer(2 * bufferSize);
  const handWritten = new HandWritten();
  // As its serializer uses it: a buffer for each message. And as it could be used: many messages in one.
  const pgProtocol = new PgProtocolWriter();
  const gathering = new PgProtocolWriter(2 * bufferSize);
  const target = Buffer.allocUnsafeSlow(2 * bufferSize);
  return [
    {
      name: 'encodeInto',
      run(count) {
        for (let i = 0; i < count; i++) {
          if (writer.position > bufferSize) writer.position = 0;
          encodeInto(writer, messages[i % messages.length]!, context);
        }
      },
    },
    {
      name: 'hand-written loop',
      run(count) {
        for (let i = 0; i < count; i++) {
          if (handWritten.offset > bufferSize) handWritten.offset = 0;
          const message = messages[i % messages.length]!;
          if (message.kind === 'update') handWritten.update(message);
          else handWritten.insert(message);
        }
      },
    },
    {
      name: 'pg-protocol Writer',
      run(count) {
        for (let i = 0; i < count; i++) {
          const message = messages[i % messages.length]!;
          if (message.kind === 'update') writeUpdate(pgProtocol, message);
          else writeInsert(pgProtocol, message);
          pgProtocol.flush();
        }
      },
    },
    {
      name: 'the same, gathering',
      run(count) {
        for (let i = 0; i < count; i++) {
          if (i % 32 === 0) gathering.clear();
          const message = messages[i % messages.length]!;
          if (message.kind === 'update') writeUpdate(gathering, message);
          else writeInsert(gathering, message);
        }
      },
    },
    {
      name: 'copy of the bytes',
      run(count) {
        let offset = 0;
        for (let i = 0; i < count; i++) {
          if (offset > bufferSize) offset = 0;
          const payload = payloads[i % payloads.length]!;
          target.set(payload, offset);
          offset += payload.length;
        }
      },
    },
  ];
}

function decoders(messages: readonly Row[]): Contender[] {
  const payloads = messages.map((message) => encode(message, context));
  const decoder = createDecoder({ streaming: 'off' });
  const target = Buffer.allocUnsafeSlow(2 * bufferSize);
  return [
    {
      name: 'decode',
      run(count) {
        for (let i = 0; i < count; i++) decoder.decode(payloads[i % payloads.length]!);
      },
    },
    {
      name: 'copy of the bytes',
      run(count) {
        for (let i = 0; i < count; i++) target.set(payloads[i % payloads.length]!);
      },
    },
  ];
}

/** All contenders must write the same. */
function assertSameBytes(messages: readonly Row[]): void {
  for (const message of messages) {
    const expected = encode(message, context);
    const handWritten = new HandWritten();
    const pgProtocol = new PgProtocolWriter();
    if (message.kind === 'update') {
      handWritten.update(message);
      writeUpdate(pgProtocol, message);
    } else {
      handWritten.insert(message);
      writeInsert(pgProtocol, message);
    }
    assert.deepEqual(handWritten.buffer.subarray(0, handWritten.offset), expected);
    assert.deepEqual(pgProtocol.flush(), expected);
    assert.deepEqual(createDecoder().decode(expected), message);
  }
}

function print(title: string, bytes: number, results: readonly Result[]): void {
  console.log(`\n${title}`);
  for (const { name, nanoseconds, ratio } of results) {
    const rate = Math.round(1e9 / nanoseconds)
      .toLocaleString('en')
      .padStart(12);
    const megabytes = ((bytes * 1e3) / nanoseconds).toFixed(0).padStart(6);
    console.log(
      `  ${name.padEnd(20)}${rate} messages/s ${megabytes} MB/s   ${ratio.toFixed(2)} × the time of the first`,
    );
  }
}

const subjects = (
  [
    ['Update with K, 5 text columns', updatesWithKey],
    ['Update with O, 5 text columns', updatesWithOldRow],
    ['Insert', inserts],
  ] as const
).map(([title, messages]) => ({ title, messages, encoders: encoders(messages), decoders: decoders(messages) }));

// All of them before the first is measured: a program that only ever sees one shape of message is optimized for just that.
for (const { messages, encoders, decoders } of subjects) {
  assertSameBytes(messages);
  warmUp([...encoders, ...decoders]);
}

for (const { title, messages, encoders, decoders } of subjects) {
  const bytes = messages.reduce((sum, message) => sum + encode(message, context).length, 0) / messages.length;
  print(`Encode: ${title} (${Math.round(bytes)} bytes)`, bytes, race(encoders));
  console.log(`  heap growth of encodeInto: ${heapGrowth(encoders[0]!).toFixed(2)} bytes per message`);
  print(`Decode: ${title} (${Math.round(bytes)} bytes)`, bytes, race(decoders));
}
