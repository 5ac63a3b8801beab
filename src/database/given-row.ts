import type { Table } from '../timeline/catalog.js';
import type { Datum } from '../timeline/datum.js';

/** A row of an INSERT by position: for rows that are made by the thousand, whose columns' names were looked up once. */
export class GivenRow {
  constructor(
    readonly table: Table,
    /** One for each column of this version of the table; undefined: left out. */
    readonly values: readonly (Datum | undefined)[],
  ) {}
}
