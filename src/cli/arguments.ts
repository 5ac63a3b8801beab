/** Parsers for option values. What they throw becomes `error: option '…' argument '…' is invalid. …`, exit 2. */
import { InvalidArgumentError } from 'commander';
import { parseLsn } from '../values/lsn.js';

const milliseconds = { ms: 1, s: 1_000, min: 60_000, m: 60_000, h: 3_600_000 };

/** `250ms`, `5s`, `1.5min`, `2h` → milliseconds. */
export function duration(text: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(ms|s|min|m|h)$/.exec(text) ?? [];
  if (!unit) throw new InvalidArgumentError('It must be a number with a unit: 250ms, 5s, 1min.');
  return Number(number) * milliseconds[unit as keyof typeof milliseconds];
}

export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || number < least || number > most) {
      throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
    }
    return number;
  };
}

/** `16/B374D848` → bigint. */
export function lsn(text: string): bigint {
  try {
    return parseLsn(text);
  } catch {
    throw new InvalidArgumentError('It must be an LSN: two hexadecimal numbers, as in 16/B374D848.');
  }
}

/** For an option that may be given several times. */
export function collect(value: string, previous: readonly string[] | undefined): readonly string[] {
  return [...(previous ?? []), value];
}
