/** Exact arithmetic on decimal texts, NaN and the infinities aside. */

interface Decimal {
  /** Without its point. */
  readonly digits: bigint;
  readonly scale: number;
}

function parse(text: string): Decimal {
  const [whole, fraction = ''] = text.split('.') as [string, string?];
  return { digits: BigInt(whole + fraction), scale: fraction.length };
}

function print({ digits, scale }: Decimal): string {
  if (scale === 0) return String(digits);
  const sign = digits < 0n ? '-' : '';
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0');
  return `${sign}${text.slice(0, -scale)}.${text.slice(-scale)}`;
}

function isSpecial(text: string): boolean {
  return /[^-0-9.]/.test(text);
}

export function add(a: string, b: string): string {
  if (isSpecial(a) || isSpecial(b)) return String(Number(a) + Number(b));
  const [x, y] = [parse(a), parse(b)];
  const scale = Math.max(x.scale, y.scale);
  const shift = (d: Decimal): bigint => d.digits * 10n ** BigInt(scale - d.scale);
  return print({ digits: shift(x) + shift(y), scale });
}

export function multiply(a: string, b: string): string {
  if (isSpecial(a) || isSpecial(b)) return String(Number(a) * Number(b));
  const [x, y] = [parse(a), parse(b)];
  return print({ digits: x.digits * y.digits, scale: x.scale + y.scale });
}

export function negate(a: string): string {
  if (a === 'NaN' || /^0*\.?0*$/.test(a)) return a;
  return a.startsWith('-') ? a.slice(1) : `-${a}`;
}

/** Of integers; the sign is the dividend's. */
export function remainder(a: string, b: string): string {
  return String(BigInt(a) % BigInt(b));
}
