/** `slot(…)`: a generator that is one slot's WAL. */
import type { PgoutputOptions } from '../timeline/emitter.js';
import type { HandlerBase } from './handler.js';
import { callerOf } from './source-line.js';
import type { Published } from './published.js';
import type { Publishable } from './transaction.js';

/** What the generator of `slot` gets to see. */
export interface SlotInfo {
  readonly slot: string;
  /** The database that the client is connected to. */
  readonly database: string;
  /** Where the first stream of the slot starts. */
  readonly startLsn: bigint;
  /** What the client of the first stream negotiated. */
  readonly options: PgoutputOptions;
}

/** What it yields is written; `yield` gives the LSNs back. */
export type SlotGenerator = (
  info: SlotInfo,
) => AsyncIterator<Publishable, void, Published> | Iterator<Publishable, void, Published>;

/** What `slot` makes. */
export interface SlotHandler extends HandlerBase {
  readonly kind: 'slot';
  readonly name: string | RegExp;
  readonly generator: SlotGenerator;
  /** Whether it is for this slot. */
  fits(slot: string): boolean;
}

/**
 * What the generator yields is the slot's WAL: transactions, statements, messages, faults. It runs once for each slot, when the
 * slot is first started, and is asked for more only when the client has taken what there was. A client that reconnects gets
 * again what it had not confirmed. It writes to a database of the slot's own, in which only its statements have left rows.
 *
 * @param name of the slot, which needs no CREATE; a pattern is for each of the slots that fit
 */
export function slot(name: string | RegExp, generator: SlotGenerator): SlotHandler {
  return {
    kind: 'slot',
    title: `slot(${typeof name === 'string' ? `'${name}'` : String(name)})`,
    source: callerOf(slot),
    name,
    generator,
    fits(slotName) {
      return typeof name === 'string' ? name === slotName : slotName.search(name) >= 0;
    },
  };
}
