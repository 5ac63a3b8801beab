/** The messages that are measured: as many of each as it takes for no one to know them by heart, all different. */
import type { Insert, Update } from '../src/pgoutput/messages.js';

const variants = 64;
const relationId = 16385;

function row(i: number): string[] {
  return [String(1000 + i), 'Ann Example', `ann.${i}@example.com`, 'active', `2026-01-${10 + (i % 20)} 12:00:00`].map(
    flat,
  );
}

/** Text as it comes from a parser or a socket: in one piece, which the result of a concatenation is not. */
function flat(text: string): string {
  return Buffer.from(text).toString();
}

export const updatesWithKey: readonly Update[] = Array.from({ length: variants }, (_, i) => ({
  kind: 'update',
  relationId,
  oldTuple: { marker: 'K', columns: [String(2000 + i), null, null, null, null] },
  newTuple: row(i),
}));

export const updatesWithOldRow: readonly Update[] = Array.from({ length: variants }, (_, i) => ({
  kind: 'update',
  relationId,
  oldTuple: { marker: 'O', columns: row(i + 1) },
  newTuple: row(i),
}));

/** 1.2 kB each, most of it one text. */
export const inserts: readonly Insert[] = Array.from({ length: variants }, (_, i) => ({
  kind: 'insert',
  relationId,
  newTuple: [...row(i).slice(0, 4), flat('Lorem ipsum dolor sit amet, '.repeat(40) + String(i))],
}));
