/** What happened to a row, a table or the stream, whatever client told it. Values are text, as the server prints them. */
export type Row = Readonly<Record<string, string | null>>;

export type Change =
  | { readonly kind: 'insert'; readonly table: string; readonly new: Row }
  | { readonly kind: 'update'; readonly table: string; readonly key?: Row; readonly old?: Row; readonly new: Row }
  | { readonly kind: 'delete'; readonly table: string; readonly key?: Row; readonly old?: Row }
  | {
      readonly kind: 'truncate';
      readonly tables: readonly string[];
      readonly cascade: boolean;
      readonly restartIdentity: boolean;
    }
  | { readonly kind: 'message'; readonly prefix: string; readonly content: string; readonly transactional: boolean };

/** Stands in a new row for a TOAST value that did not change. */
export const unchanged = '(unchanged)';
