/** What happened to a row, a table or the stream, whatever client told it. */

/** Values are text as the server prints them, or stand for one (`unchanged`, a matcher). */
export type Row = Readonly<Record<string, unknown>>;

export interface Insert {
  readonly kind: 'insert';
  readonly table: string;
  readonly new: Row;
}
export interface Update {
  readonly kind: 'update';
  readonly table: string;
  /** The key's columns, or the whole old row, or neither. */
  readonly key?: Row;
  readonly old?: Row;
  readonly new: Row;
}
export interface Delete {
  readonly kind: 'delete';
  readonly table: string;
  readonly key?: Row;
  readonly old?: Row;
}
export interface Truncate {
  readonly kind: 'truncate';
  readonly tables: readonly string[];
  readonly cascade: boolean;
  readonly restartIdentity: boolean;
}
export interface LogicalMessage {
  readonly kind: 'message';
  readonly prefix: string;
  /** In hex. */
  readonly content: string;
  readonly transactional: boolean;
}

export type Change = Insert | Update | Delete | Truncate | LogicalMessage;

/** Stands in a new row for a TOAST value that did not change. */
export const unchanged = '(unchanged)';
