/**
 * What `sql:` steps and `.sql` files need beyond this layer: PostgreSQL's parser, and an evaluator of its trees. Both lie in
 * `sql/`, above this layer, so that callers hand them in (as they do `readFile`).
 */
import type { Node } from 'libpg-query';
import type { OpenTransaction, Place } from '../database/index.js';
import type { Catalog, Table } from '../timeline/catalog.js';
import type { ServerSettings } from './settings.js';

export interface SqlStatement {
  readonly node: Node;
  /** Where it begins, in bytes of UTF-8: what the locations in `node` are counted from the same start of the text. */
  readonly location: number;
}

export interface SqlSupport {
  /** @throws SqlMistake for what is no SQL */
  parse(text: string): readonly SqlStatement[];
  /**
   * INSERT, UPDATE, DELETE or TRUNCATE on the rows that a transaction sees.
   * @throws SqlMistake for what cannot be analyzed or computed exactly; StatementError for what the database refuses
   */
  execute(node: Node, target: SqlTarget): void;
}

export interface SqlTarget {
  readonly transaction: OpenTransaction;
  readonly place: Place;
  readonly server: ServerSettings;
  /** The expression of a generated column; undefined where it is not known. */
  generatedAs(table: Table, column: string): string | undefined;
}

/** Something wrong in a text of SQL. */
export class SqlMistake extends Error {
  constructor(
    /** refused: a server refuses it too. inexact: a server may take it, but what comes of it is not determined here. */
    readonly kind: 'syntax' | 'refused' | 'inexact',
    message: string,
    /** Bytes of UTF-8 from the start of the text; undefined: the statement as a whole. */
    readonly location?: number,
    /** SQLSTATE; empty for what no server says. */
    readonly code = '',
    readonly hint?: string,
    /** What there is, for a name that is not there. */
    readonly catalog?: Catalog,
  ) {
    super(message);
    this.name = 'SqlMistake';
  }
}
