/** Values of the same kind as given ones. */
import { parseArray, printArray, type PgType } from '../../postgres/index.js';
import { parseTimestamp } from '../../values/timestamp.js';
import { FakerValues } from '../faker.js';

/** A value that is replaced on its own: a whole one, an element of an array, a leaf of JSON. */
export interface Part {
  readonly text: string;
  /** Parts of one domain that are equal stay equal. */
  readonly domain: string;
}

type Replace = (text: string, domain: string, typeModifier: number) => string;
type IsFree = (candidate: string) => boolean;

const numbers = new Set(['int2', 'int4', 'int8', 'oid', 'float4', 'float8', 'numeric', 'money']);
const texts = new Set(['text', 'varchar', 'bpchar', 'name']);
/** What has no letter or digit of its own to hide, and the words of number and time types. */
const kept = /^(?:|NaN|-?Infinity|-?infinity|empty|[^\p{L}\p{N}]*)$/u;
const attempts = 60;

export class Replacement {
  readonly #faker = new FakerValues(0, new Date('2026-01-01T00:00:00Z'));

  constructor(private readonly major: number) {}

  /** The parts of a value; none where it stays as it is. */
  partsOf(text: string, type: PgType | undefined): Part[] {
    const parts: Part[] = [];
    this.withParts(text, type, -1, (part, domain) => {
      parts.push({ text: part, domain });
      return part;
    });
    return parts;
  }

  /** The value with its parts replaced. */
  withParts(text: string, type: PgType | undefined, typeModifier: number, replace: Replace): string {
    const base = baseOf(type);
    if (base?.kind === 'enum' || base?.name === 'bool' || kept.test(text)) return text;
    if (base?.name === 'json' || base?.name === 'jsonb') {
      return replaceLeaves(text, (leaf, domain) => (kept.test(leaf) ? leaf : replace(leaf, domain, -1)));
    }
    if (base?.kind === 'array' && base.element !== undefined) {
      const parts = parseArray(text, base.delimiter, this.major);
      const { element } = base;
      const elements = parts.elements.map((item) =>
        item === null ? null : this.withParts(item, element, typeModifier, replace),
      );
      return printArray({ ...parts, elements }, base.delimiter);
    }
    return replace(text, base?.name ?? 'other', base === type ? typeModifier : (type?.typeModifier ?? -1));
  }

  /**
   * Another value for a part.
   * @param domain - the part's
   * @param type - of its column
   * @param seed - what the choice follows from
   */
  of(
    text: string,
    domain: string,
    type: PgType | undefined,
    typeModifier: number,
    column: string,
    seed: number,
    isFree: IsFree,
  ): string {
    const check = partType(type, domain);
    for (let round = 0; ; round++) {
      // Where all values of a length are taken, longer ones must do.
      const longer = Math.floor(round / attempts);
      const candidate = this.#candidate(text, domain, column, seed, round, longer);
      const valid = candidate === undefined ? undefined : this.#accepted(candidate, check, typeModifier);
      if (valid !== undefined && valid !== text && isFree(valid)) return valid;
      if (round > attempts * 8) return this.#lastResort(check, typeModifier, seed, round, isFree) ?? valid ?? text;
    }
  }

  /** Bytes of the same length: text stays text. */
  bytes(content: Uint8Array, seed: number): Uint8Array {
    const random = new Random(seed, 0);
    return content.map((byte) => {
      if (byte >= 0x61 && byte <= 0x7a) return 0x61 + random.below(26);
      if (byte >= 0x41 && byte <= 0x5a) return 0x41 + random.below(26);
      if (byte >= 0x30 && byte <= 0x39) return 0x30 + random.below(10);
      return byte < 0x80 ? byte : 0x61 + random.below(26);
    });
  }

  #accepted(candidate: string, type: PgType | undefined, typeModifier: number): string | undefined {
    if (type === undefined) return candidate;
    try {
      return type.input(candidate, typeModifier, this.major);
    } catch {
      return undefined;
    }
  }

  #candidate(
    text: string,
    domain: string,
    column: string,
    seed: number,
    round: number,
    longer: number,
  ): string | undefined {
    const random = new Random(seed, round);
    if (numbers.has(domain) || domain === 'json number') return numberLike(text, random, longer);
    if (texts.has(domain) || domain === 'json string' || domain === 'other') {
      const worded = domain === 'other' ? undefined : this.#worded(text, column, seed, round);
      return worded ?? scrambled(text, random) + 'x'.repeat(longer);
    }
    if (domain === 'uuid') return scrambledHex(text, random);
    if (domain === 'bytea') return `\\x${scrambledHex(text.slice(2), random)}${'00'.repeat(longer)}`;
    if (domain === 'macaddr' || domain === 'macaddr8') return scrambledHex(text, random);
    if (domain === 'bit' || domain === 'varbit') return text.replace(/[01]/g, () => String(random.below(2)));
    if (/^(?:date|time|timetz|timestamp|timestamptz)$/.test(domain)) return timeLike(text, random);
    if (domain === 'xml') return text.replace(/[^<>]+(?=<|$)/g, (content) => scrambled(content, random));
    return scrambled(text, random);
  }

  /** Words for what looks like words: of the same length, so that it fits wherever the text did. */
  #worded(text: string, column: string, seed: number, round: number): string | undefined {
    const faker = this.#faker.at(seed, round);
    const { length } = text;
    if (/^[^\s@]+@[^\s@]+\.\w+$/.test(text) && length >= 15) {
      const name = faker.internet
        .username()
        .toLowerCase()
        .replace(/[^a-z0-9]/g, '');
      return `${fitted(name, length - 12, faker.string.alpha({ length: length, casing: 'lower' }))}@example.com`;
    }
    if (length < 4 || !/^[\p{L}\p{M} ,.'’-]+$/u.test(text)) return undefined;
    if (/name|city|country|person|author/i.test(column) && length <= 40) {
      return fitted(faker.person.fullName(), length, faker.string.alpha({ length, casing: 'lower' }));
    }
    return fitted(
      faker.lorem.words(1 + Math.ceil(length / 4)),
      length,
      faker.string.alpha({ length, casing: 'lower' }),
    );
  }

  /** Any valid value of the type, for forms that scrambling does not keep valid. */
  #lastResort(
    type: PgType | undefined,
    typeModifier: number,
    seed: number,
    round: number,
    isFree: IsFree,
  ): string | undefined {
    const random = new Random(seed, round);
    for (let i = 0; i < attempts; i++) {
      const [a, b] = [random.below(250) + 1, random.below(250) + 1];
      const forms = [
        `10.${a}.${b}.1`,
        `${a}`,
        `[${a},${a + b}]`,
        `{[${a},${a + b}]}`,
        `(${a},${b})`,
        `${a} days`,
        `<w${a}>${b}</w${a}>`,
      ];
      for (const form of [...forms, `((${a},${b}),(${b},${a}))`, `{${a},${b},1}`, `<(${a},${b}),${a}>`, `w${a}${b}`]) {
        const valid = this.#accepted(form, type, typeModifier);
        if (valid !== undefined && isFree(valid)) return valid;
      }
    }
    return undefined;
  }
}

/** What checks a part: JSON's are checked by nobody. */
function partType(type: PgType | undefined, domain: string): PgType | undefined {
  let base = baseOf(type);
  while (base?.kind === 'array') base = baseOf(base.element);
  return base?.name === domain ? base : undefined;
}

function baseOf(type: PgType | undefined): PgType | undefined {
  let base = type;
  while (base?.kind === 'domain' && base.element !== undefined) base = base.element;
  return base;
}

/** As many digits before and after the point, the same sign; `longer` digits more. */
function numberLike(text: string, random: Random, longer: number): string {
  const digits = text.replace(/\d/g, () => String(random.below(10)));
  // A leading zero is only kept where it stands alone.
  const leading = /^(-?\D*)(\d)(?=\d|$)/.exec(text);
  const first = leading?.[2] === '0' ? digits : digits.replace(/\d/, () => String(1 + random.below(9)));
  const more = Array.from({ length: longer }, () => String(random.below(10))).join('');
  return first.replace(/^(\D*\d)/, `$1${more}`).replace(/^(-?)0+(?=\d)/, '$1');
}

/** Letters become letters, digits digits; what stands between them stays. */
function scrambled(text: string, random: Random): string {
  return text.replace(/[\p{L}\p{N}]/gu, (character) => {
    if (/\p{N}/u.test(character)) return String(random.below(10));
    const letter = String.fromCharCode(0x61 + random.below(26));
    return /\p{Lu}/u.test(character) ? letter.toUpperCase() : letter;
  });
}

function scrambledHex(text: string, random: Random): string {
  return text.replace(/[0-9a-f]/gi, () => random.below(16).toString(16));
}

const date = /\d{4,6}-\d\d-\d\d/;
const clock = /\d\d:\d\d:\d\d/;

/** Another day and time of day within a year of it, with as many decimals. */
function timeLike(text: string, random: Random): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return text
    .replace(date, (whole) => {
      const day = random.below(730) - 365;
      try {
        const moved = parseTimestamp(`${whole}T00:00:00Z`) / 86_400_000_000n + BigInt(day);
        return new Date(Number(moved) * 86_400_000 + Date.UTC(2000, 0, 1)).toISOString().slice(0, 10);
      } catch {
        return whole;
      }
    })
    .replace(clock, () => `${two(random.below(24))}:${two(random.below(60))}:${two(random.below(60))}`)
    .replace(/\.(\d+)/, (_, decimals: string) => `.${decimals.replace(/\d/g, () => String(1 + random.below(9)))}`);
}

/** Cut or padded to the length. */
function fitted(words: string, length: number, padding: string): string {
  const cut = words.length >= length ? words.slice(0, length) : `${words} ${padding}`.slice(0, length);
  // A space at the end would not be the same for character(n).
  return cut.replace(/[ .,'-]$/, padding[0]!);
}

const jsonToken = /"(?:[^"\\]|\\.)*"(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;

/** JSON with its strings and numbers replaced; keys, structure, true, false and null stay. */
function replaceLeaves(json: string, replace: (leaf: string, domain: string) => string): string {
  return json.replace(jsonToken, (token: string, colon: string | undefined) => {
    if (colon !== undefined) return token;
    if (!token.startsWith('"')) return replace(token, 'json number');
    const text = JSON.parse(token) as string;
    return JSON.stringify(replace(text, 'json string'));
  });
}

/** mulberry32: enough for letters and digits. */
class Random {
  #state: number;

  constructor(seed: number, round: number) {
    this.#state = (seed ^ Math.imul(round + 1, 0x9e37_79b9)) >>> 0;
  }

  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }
}
