/**
 * XLogData's positions of the golden payloads: a file per workload, and in it a line per stream, in the same order as in
 * `payloads`: `MAJOR VARIANT "PLACE"`, then for each message `.` for 0/0, `=` for the position before, or the distance to it
 * in hexadecimal.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** By stream, in the order of `goldenStreams`. */
export function goldenPositions(workload: string): bigint[][] {
  const text = readFileSync(join(process.cwd(), 'test/golden/positions', `${workload}.txt`), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => readPositions(line.replace(/^\d+ \S+ ".*?" /, '').split(' ')));
}

function readPositions(parts: readonly string[]): bigint[] {
  let position = 0n;
  return parts.map((part) => {
    if (part === '.') return 0n;
    if (part !== '=') position += BigInt(`0x${part.slice(1)}`) * (part.startsWith('-') ? -1n : 1n);
    return position;
  });
}
