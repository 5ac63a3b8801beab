/** What real servers sent for small workloads, and what the emitter sends for the same ones written as database calls. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, expect } from '@jest/globals';
import { createDecoder } from '../../src/pgoutput/decoder.js';
import { encodeInto } from '../../src/pgoutput/encode.js';
import { Writer } from '../../src/bytes/writer.js';
import { defaultSettings } from '../../src/postgres/index.js';
import { pgoutputOptions } from '../../src/protocol/pgoutput-options.js';
import { createEmitter } from '../../src/timeline/emit.js';
import type { Message } from '../../src/pgoutput/messages.js';
import type { Timeline } from '../../src/timeline/timeline.js';
import { parseLsn } from '../../src/values/lsn.js';
import { WireError } from '../../src/values/wire-error.js';
import { normalForm, type Sent } from './normal-form.js';
import { rowWorkloads, type Workload } from './row-workloads.js';
import { Script, Stopped } from './script.js';
import { streamWorkloads } from './stream-workloads.js';
import { transactionWorkloads } from './transaction-workloads.js';

interface Golden {
  readonly options: Record<string, string>;
  readonly twoPhaseSlot: boolean;
  /** Decoded after everything had been written. */
  readonly late: boolean;
  readonly streams: readonly {
    readonly at: string;
    readonly command: string;
    readonly error?: { readonly code: string; readonly message: string };
    readonly frames: readonly (readonly [lsn: string, payload: string])[];
  }[];
}

const workloads = { ...rowWorkloads, ...transactionWorkloads, ...streamWorkloads };

describe.each(Object.entries(workloads))('%s', (name, workload) => {
  const goldens = JSON.parse(readFileSync(join(__dirname, `../golden/emit/${name}.json`), 'utf8')) as Record<
    string,
    Golden
  >;

  it.each(Object.entries(goldens))('%s', (variant, golden) => {
    const major = Number(variant.split('-')[0]);
    let confirmed = 0n;
    for (const stream of golden.streams) {
      const script = play(workload, major, stream.at);
      const { timeline } = script.db;
      const { startLsn } = timeline.server;
      const options = optionsOf(stream.command, major);
      const actual = emitAll(timeline, {
        slotName: 's',
        options,
        settings: defaultSettings(major),
        startLsn: confirmed === 0n ? startLsn : confirmed,
        twoPhase: golden.twoPhaseSlot || options.twoPhase,
        twoPhaseAt: startLsn,
        late: golden.late,
      });
      const decoder = createDecoder({ streaming: options.streaming });
      const expected = stream.frames.map(([lsn, payload]): Sent => ({
        lsn: parseLsn(lsn),
        message: decoder.decode(Buffer.from(payload, 'hex')),
      }));
      expect(normalForm(actual.sent)).toEqual(normalForm(expected));
      expect(actual.error).toEqual(
        stream.error && expect.objectContaining({ code: stream.error.code, message: stream.error.message }),
      );
      const capture = script.captures.find(({ label }) => label === stream.at);
      if (capture?.confirmed === true) confirmed = capture.lsn;
    }
  });
});

function emitAll(
  timeline: Timeline,
  session: Parameters<typeof createEmitter>[1],
): { sent: Sent[]; error: WireError | undefined } {
  const sent: Sent[] = [];
  const { options } = session;
  const decoder = createDecoder({ streaming: options.streaming });
  const writer = new Writer();
  const emitter = createEmitter(timeline, session, {
    message: (message: Message, lsn: bigint) => {
      // Through the bytes, so that both sides have the same form.
      writer.position = 0;
      encodeInto(writer, message, {
        protoVersion: options.protoVersion,
        streaming: options.streaming,
        inStream: decoder.inStream,
      });
      sent.push({ lsn, message: decoder.decode(writer.copy()) });
    },
    notice: () => undefined,
  });
  try {
    while (emitter.next().kind !== 'idle');
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    return { sent, error };
  }
  return { sent, error: undefined };
}

/** What had happened when the stream was read. */
function play(workload: Workload, major: number, stopAt: string): Script {
  const script = new Script(major, stopAt);
  try {
    workload(script);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
  }
  return script;
}

/** The options of a START_REPLICATION command as it was sent. */
function optionsOf(command: string, major: number): ReturnType<typeof pgoutputOptions> {
  const list = /\((.*)\)$/.exec(command)![1]!;
  const given = [...list.matchAll(/(\w+) '((?:[^']|'')*)'/g)].map(([, name, value]) => ({
    name: name!,
    value: value!.replaceAll("''", "'"),
  }));
  return pgoutputOptions(given, major);
}
