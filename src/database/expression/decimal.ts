/** Exact arithmetic on numeric's canonical texts. NaN and infinities are for the caller. */

export interface Decimal {
  readonly digits: bigint;
  /** Digits behind the point. */
  readonly scale: number;
}

export function isFinite(text: string): boolean {
  return !text.endsWith('N') && !text.endsWith('y');
}

export function parseDecimal(text: string): Decimal {
  const point = text.indexOf('.');
  if (point < 0) return { digits: BigInt(text), scale: 0 };
  return { digits: BigInt(text.slice(0, point) + text.slice(point + 1)), scale: text.length - point - 1 };
}

export function printDecimal({ digits, scale }: Decimal): string {
  if (scale === 0) return String(digits);
  const sign = digits < 0n ? '-' : '';
  const padded = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0');
  return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}

/** Half away from zero. */
export function roundDecimal({ digits, scale }: Decimal, to: number): Decimal {
  if (to >= scale) return { digits: digits * 10n ** BigInt(to - scale), scale: to };
  const unit = 10n ** BigInt(scale - to);
  const half = digits < 0n ? -unit / 2n : unit / 2n;
  const rounded = (digits + half) / unit;
  return to >= 0 ? { digits: rounded, scale: to } : { digits: rounded * 10n ** BigInt(-to), scale: 0 };
}

export function addDecimals(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { digits: roundDecimal(a, scale).digits + roundDecimal(b, scale).digits, scale };
}

export function multiplyDecimals(a: Decimal, b: Decimal): Decimal {
  return { digits: a.digits * b.digits, scale: a.scale + b.scale };
}

/** At least 16 significant digits, and no fewer behind the point than the operands have (select_div_scale). */
export function divideDecimals(a: Decimal, b: Decimal): Decimal {
  const weight = (value: Decimal): number => {
    const length = String(value.digits < 0n ? -value.digits : value.digits).length - value.scale;
    return value.digits === 0n ? 0 : Math.ceil(length / 4) - 1;
  };
  const firstGroup = (value: Decimal): number => {
    const text = String(value.digits < 0n ? -value.digits : value.digits);
    const whole = text.length - value.scale;
    const take = ((whole % 4) + 4) % 4 || 4;
    return Number(text.padEnd(take, '0').slice(0, take));
  };
  let quotientWeight = weight(a) - weight(b);
  if (firstGroup(a) <= firstGroup(b)) quotientWeight--;
  const scale = Math.min(Math.max(16 - quotientWeight * 4, a.scale, b.scale, 0), 1000);
  const exact = { digits: (a.digits * 10n ** BigInt(scale + 1 + b.scale)) / b.digits, scale: scale + 1 + a.scale };
  return roundDecimal(exact, scale);
}

export function remainderDecimals(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { digits: roundDecimal(a, scale).digits % roundDecimal(b, scale).digits, scale };
}
