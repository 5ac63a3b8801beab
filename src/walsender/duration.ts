/** Durations as SHOW prints them. */

const units: Readonly<Record<string, number>> = {
  '': 1,
  us: 0.001,
  ms: 1,
  s: 1000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** `1min`, `30s`, `500ms`, `0` in milliseconds. @throws TypeError for anything else */
export function milliseconds(text: string): number {
  const [, number, unit] = /^(-?\d+(?:\.\d+)?) ?([a-z]*)$/.exec(text) ?? [];
  const factor = units[unit ?? 'none'];
  if (number === undefined || factor === undefined) throw new TypeError(`"${text}" is not a duration`);
  return Number(number) * factor;
}
