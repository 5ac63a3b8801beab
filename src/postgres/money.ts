/** money under lc_monetary C: dollars with two decimals. */
import { int64Bytes } from './big-endian.js';
import { invalidSyntax, valueOutOfRange } from './input-error.js';
import { builtinType } from './pg-type.js';

/** A sign or an opening parenthesis, currency signs, digits with any commas; a closing parenthesis or a sign behind. */
const form = /^\s*\$?\s*([-(+]?)\s*\$?\s*([\d,]*)(?:\.(\d*))?([\s)$+-]*)$/;

/** Fractions of a cent are rounded, halves away from zero. */
function inputMoney(text: string): string {
  const match = form.exec(text);
  if (match === null) throw invalidSyntax('money', text);
  const [, sign = '', whole = '', fraction = '', rest = ''] = match;
  const up = (fraction[2] ?? '0') >= '5' ? 1n : 0n;
  const cents = BigInt(whole.replaceAll(',', '') + fraction.slice(0, 2).padEnd(2, '0')) + up;
  const negative = sign === '-' || sign === '(' || rest.includes('-');
  if (BigInt.asIntN(64, negative ? -cents : cents) !== (negative ? -cents : cents))
    throw valueOutOfRange('money', text);
  return printCents(cents, negative);
}

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
