/** money under lc_monetary C: dollars with two decimals. */
import { int64Bytes } from './big-endian.js';
import { invalidSyntax, valueOutOfRange } from './input-error.js';
import { builtinType } from './pg-type.js';

/** A sign or an opening parenthesis and currency signs, then digits with any commas, and more digits of the fraction. */
const amount = /^\s*\$?\s*([-(+]?)\s*\$?\s*([\d,]*)(?:\.((?:,*\d){0,2},*))?(\d*)/;

/** Fractions of a cent are rounded, halves away from zero. */
function inputMoney(text: string): string {
  const match = amount.exec(text)!;
  const [whole, fraction] = [match[2]!, match[3] ?? ''].map((digits) => digits.replaceAll(',', '')) as [string, string];
  const up = match[4]! >= '5' ? 1n : 0n;
  const cents = BigInt(whole + fraction.padEnd(2, '0')) + up;
  const rest = text.slice(match[0].length);
  const negative = match[1] === '-' || match[1] === '(' || rest.includes('-');
  if (cents > maxCents + 1n) throw valueOutOfRange('money', text);
  if (!/^[\s)$+-]*$/.test(rest)) throw invalidSyntax('money', text);
  if (cents > maxCents && !negative) throw valueOutOfRange('money', text);
  return printCents(cents, negative);
}

const maxCents = 2n ** 63n - 1n;

function printCents(cents: bigint, negative: boolean): string {
  const digits = cents.toString().padStart(3, '0');
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ',');
  return `${negative && cents !== 0n ? '-' : ''}$${whole}.${digits.slice(-2)}`;
}

/** Int64 cents. */
function sendMoney(canonical: string): Uint8Array {
  return int64Bytes(BigInt(canonical.replace(/[$,.]/g, '')));
}

function compareMoney(a: string, b: string): number {
  const [x, y] = [a, b].map((text) => BigInt(text.replace(/[$,.]/g, '')));
  return x! < y! ? -1 : x! > y! ? 1 : 0;
}

export const moneyTypes = [
  builtinType(790, 'money', 8, 791, { input: inputMoney, send: sendMoney, compare: compareMoney }),
];
