/**
 * pgoutput payloads as PostgreSQL 10 to 18 sent them: one file per workload. In it, streams in the order of majors and
 * variants; of each, a line `stream MAJOR VARIANT "PLACE" OPTIONS` and then one line per XLogData: the payload in hexadecimal,
 * in which `(6162*20)` stands for these bytes twenty times.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Streaming } from '../../src/pgoutput/messages.js';

export interface GoldenStream {
  /** What was going on: `toast-default`. */
  readonly workload: string;
  readonly major: number;
  /** Which client it was: `v4-parallel`. */
  readonly variant: string;
  /** Which of a client's connections: the last one is `end`, or `live` when the workload was watched as it happened. */
  readonly place: string;
  /** Of START_REPLICATION, as the client wrote them. */
  readonly options: Readonly<Record<string, string>>;
  readonly streaming: Streaming;
  readonly protoVersion: number;
  readonly payloads: readonly Buffer[];
}

const folder = join(process.cwd(), 'test/golden/payloads');

export function goldenWorkloads(): string[] {
  return readdirSync(folder)
    .map((file) => basename(file, '.txt'))
    .sort();
}

export function goldenStreams(workload: string): GoldenStream[] {
  const sections = readFileSync(join(folder, `${workload}.txt`), 'utf8').split(/^stream /m);
  return sections.slice(1).map((section) => {
    const [heading, ...lines] = section.trimEnd().split('\n');
    const [, major, variant, place, json] = /^(\d+) (\S+) "(.*?)" (\{.*\})$/.exec(heading!)!;
    const options = JSON.parse(json!) as Record<string, string>;
    return {
      workload,
      major: Number(major),
      variant: variant!,
      place: place!,
      options,
      streaming: streamingOf(options['streaming']),
      protoVersion: Number(options['proto_version']),
      payloads: lines.map(parsePayload),
    };
  });
}

function streamingOf(option: string | undefined): Streaming {
  if (option === undefined) return 'off';
  return option === 'parallel' ? 'parallel' : 'on';
}

function parsePayload(line: string): Buffer {
  return Buffer.from(
    line.replace(/\((\w+)\*(\d+)\)/g, (_, unit: string, times: string) => unit.repeat(Number(times))),
    'hex',
  );
}
