/** Values of rows as they are stored, before any client's settings apply. */
import { unchanged, type Unchanged } from '../pgoutput/messages.js';

/**
 * A value stored out of line (TOAST). Identity is what tells an unchanged value from one that was assigned anew with
 * the same text: an UPDATE that leaves a column alone carries the very same object in its new row.
 */
export class OutOfLine {
  constructor(readonly text: string) {}
}

/** What is sent exactly as it stands, whatever the mode: a text (`!raw`), or `bytes` in a type's binary form (`!binary`). */
export class RawText {
  /** @param text - of `bytes`, hexadecimal after `\\x`: what whoever needs a text gets */
  constructor(
    readonly text: string,
    readonly bytes?: Uint8Array,
  ) {}
}

/** Canonical text (see postgres/pg-type.ts), NULL, or one of the special forms; `unchanged` only in new rows. */
export type Datum = string | null | OutOfLine | RawText | Unchanged;

/** One datum for each of the table version's columns. */
export type Row = readonly Datum[];

export { unchanged };
