import type { MessageKind } from './messages.js';

const brand = Symbol.for('fake-walsender.EncodeError');

/** A message that no server could send, or that no builder can make. */
export class EncodeError extends Error {
  readonly [brand] = true;

  constructor(
    /** A builder's name, as `update`; null when it is no message at all. */
    readonly messageKind: MessageKind | null,
    /** Path of the field, as `newTuple[2]` or `columns[0].name`; null when it is the message as a whole. */
    readonly field: string | null,
    /** What was broken, as a sentence without a full stop. */
    readonly rule: string,
  ) {
    const place = [messageKind, field].filter((part) => part !== null).join('.');
    super(place === '' ? rule : `${place}: ${rule}`);
    this.name = 'EncodeError';
  }

  /** True for instances of the other module format's copy of this class too. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && brand in value;
  }
}
