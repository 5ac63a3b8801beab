const brand = Symbol.for('fake-walsender.DecodeError');

/** Bytes that are not what they should be: where they stopped being so. */
export class DecodeError extends Error {
  readonly [brand] = true;

  constructor(
    /** Which message it was, a builder's name as `update`; null while that was not known. */
    readonly messageKind: string | null,
    /** Path of the field being read, as `newTuple[2]` or `columns[0].name`; null outside one. */
    readonly field: string | null,
    /** Byte offset in the message of what was found. */
    readonly offset: number,
    readonly expected: string,
    readonly found: string,
  ) {
    const place = [messageKind, field].filter((part) => part !== null).join('.');
    super(`${place === '' ? '' : `${place}: `}expected ${expected} at offset ${offset}, found ${found}`);
    this.name = 'DecodeError';
  }

  /** True for instances of the other module format's copy of this class too. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && brand in value;
  }
}
