/** Arithmetic on numeric values as decimal text, with the scales that the server's numeric operators give. */
import { compareNumeric } from '../../postgres/numeric.js';
import { sqlError, NotEmulated } from '../failure.js';

interface Decimal {
  readonly unscaled: bigint;
  /** Digits after the point. */
  readonly scale: number;
}

const maxScale = 1000;
/** Significant digits that a quotient has at least. */
const minSignificant = 16;
const digitsPerGroup = 4;

function parse(text: string): Decimal {
  const match = /^(-?\d+)(?:\.(\d+))?$/.exec(text);
  if (match === null) throw new NotEmulated(`arithmetic with ${text}`);
  const fraction = match[2] ?? '';
  return { unscaled: BigInt(match[1]! + fraction), scale: fraction.length };
}

function print({ unscaled, scale }: Decimal): string {
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(scale + 1, '0');
  const sign = unscaled < 0n ? '-' : '';
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

function rescale({ unscaled, scale }: Decimal, to: number): bigint {
  if (to >= scale) return unscaled * 10n ** BigInt(to - scale);
  return divideRounded(unscaled, 10n ** BigInt(scale - to));
}

/** Half away from zero. */
function divideRounded(dividend: bigint, divisor: bigint): bigint {
  const negative = dividend < 0n !== divisor < 0n;
  const [n, d] = [dividend < 0n ? -dividend : dividend, divisor < 0n ? -divisor : divisor];
  const quotient = (2n * n + d) / (2n * d);
  return negative ? -quotient : quotient;
}

export type DecimalOperator = '+' | '-' | '*' | '/' | '%';

export function calculate(operator: DecimalOperator, left: string, right: string): string {
  const [a, b] = [parse(left), parse(right)];
  const scale = Math.max(a.scale, b.scale);
  switch (operator) {
    case '+':
      return print({ unscaled: rescale(a, scale) + rescale(b, scale), scale });
    case '-':
      return print({ unscaled: rescale(a, scale) - rescale(b, scale), scale });
    case '*':
      return print({ unscaled: a.unscaled * b.unscaled, scale: a.scale + b.scale });
    case '/': {
      if (b.unscaled === 0n) throw divisionByZero();
      const resultScale = quotientScale(a, b);
      const unscaled = divideRounded(
        a.unscaled * 10n ** BigInt(resultScale + b.scale),
        b.unscaled * 10n ** BigInt(a.scale),
      );
      return print({ unscaled, scale: resultScale });
    }
    case '%':
      if (b.unscaled === 0n) throw divisionByZero();
      return print({ unscaled: rescale(a, scale) % rescale(b, scale), scale });
  }
}

export function divisionByZero(): Error {
  return sqlError('22012', 'division by zero');
}

/** At least 16 significant digits, as the server estimates them from the first base-10000 digit of either side. */
function quotientScale(a: Decimal, b: Decimal): number {
  const [left, right] = [firstGroup(a), firstGroup(b)];
  let weight = left.weight - right.weight;
  if (left.value <= right.value) weight--;
  const scale = Math.max(minSignificant - weight * digitsPerGroup, a.scale, b.scale, 0);
  return Math.min(scale, maxScale);
}

/** The first non-zero base-10000 digit and its weight (0: units to thousands). */
function firstGroup({ unscaled, scale }: Decimal): { weight: number; value: number } {
  if (unscaled === 0n) return { weight: 0, value: 0 };
  const padding = (digitsPerGroup - (scale % digitsPerGroup)) % digitsPerGroup;
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString() + '0'.repeat(padding);
  const groupsAfterPoint = (scale + padding) / digitsPerGroup;
  const groups = Math.ceil(digits.length / digitsPerGroup);
  const lead = digits.slice(0, digits.length - (groups - 1) * digitsPerGroup);
  return { weight: groups - 1 - groupsAfterPoint, value: Number(lead) };
}

/** round(numeric, digits): half away from zero; digits may be negative. */
export function roundDecimal(text: string, digits: number): string {
  const value = parse(text);
  if (digits >= 0) return print({ unscaled: rescale(value, digits), scale: digits });
  const unit = 10n ** BigInt(-digits);
  return (divideRounded(rescale({ ...value, scale: value.scale - digits }, 0), 1n) * unit).toString();
}

/** trunc(numeric, digits). */
export function truncateDecimal(text: string, digits: number): string {
  const { unscaled, scale } = parse(text);
  if (digits >= scale) return print({ unscaled: unscaled * 10n ** BigInt(digits - scale), scale: digits });
  const cut = unscaled / 10n ** BigInt(scale - digits);
  return digits >= 0 ? print({ unscaled: cut, scale: digits }) : (cut * 10n ** BigInt(-digits)).toString();
}

/** ceil and floor. */
export function wholeDecimal(text: string, direction: 'up' | 'down'): string {
  const truncated = BigInt(truncateDecimal(text, 0));
  const order = compareNumeric(text, truncated.toString());
  if (direction === 'up') return (order > 0 ? truncated + 1n : truncated).toString();
  return (order < 0 ? truncated - 1n : truncated).toString();
}
