// Where changes go: here tables in a JSON file. Elsewhere it is a database, and the same holds: rows and the position up
// to which they are complete are written together, or not at all.
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { formatLsn, parseLsn } from './lsn.mjs';
import { Table } from './table.mjs';

export class Store {
  #tables = new Map();
  /** Everything up to here is in the tables: what is confirmed, once it is on disk. null: nothing was ever stored. */
  position = null;
  /** End of the last transaction in the tables: one that ends there or before comes a second time. */
  applied = 0n;
  /** The cluster that positions belong to. They mean nothing on another one. */
  systemId = null;
  /** Transactions between PREPARE and COMMIT PREPARED. */
  prepared = new Map();

  constructor(file) {
    this.file = file;
    const text = readIfExists(file);
    if (text !== undefined) this.#load(JSON.parse(text));
  }

  createTable(...state) {
    return new Table(...state);
  }

  apply({ changes, endLsn }) {
    if (endLsn <= this.applied) return;
    for (const change of changes) {
      if (change.kind === 'truncate') for (const relation of change.relations) this.table(relation).truncate();
      else this.table(change.relation)[change.kind](change);
    }
    this.applied = endLsn;
    this.advance(endLsn);
  }

  /** Forwards only. */
  advance(lsn) {
    if (this.position === null || lsn > this.position) this.position = lsn;
  }

  /** The table by its OID, under whatever name it goes now. */
  table(relation) {
    const name = `${relation.namespace}.${relation.name}`;
    let table = [...this.#tables.values()].find(({ oid }) => oid === relation.oid);
    if (table && table.name !== name) {
      this.#tables.delete(table.name);
      table.name = name;
    }
    table ??= this.#tables.get(name);
    // Another table under the name of one that was dropped.
    if (!table || (table.oid !== null && table.oid !== relation.oid)) table = this.createTable(name);
    table.oid = relation.oid;
    this.#tables.set(name, table);
    table.describe(relation);
    return table;
  }

  /** Starts anew from a copy of the tables. @param tables name → { columns, rows } */
  replace(systemId, position, tables) {
    this.#tables = new Map();
    for (const [name, { columns, rows }] of tables) this.#tables.set(name, this.createTable(name, null, columns, rows));
    this.systemId = systemId;
    this.position = position;
    this.applied = 0n;
    this.prepared = new Map();
  }

  /** Durable when it returns. */
  persist() {
    const tables = [...this.#tables.values()];
    const text = JSON.stringify({
      ...Object.fromEntries(tables.map(({ name, rows }) => [name, [...rows]])),
      $systemId: this.systemId,
      $position: this.position === null ? null : formatLsn(this.position),
      $applied: formatLsn(this.applied),
      $prepared: Object.fromEntries(this.prepared),
      $tables: Object.fromEntries(tables.map(({ name, oid, columns }) => [name, { oid, columns }])),
    });
    const file = openSync(`${this.file}.new`, 'w');
    writeFileSync(file, text);
    fsyncSync(file);
    closeSync(file);
    renameSync(`${this.file}.new`, this.file);
  }

  #load({ $systemId, $position, $applied, $prepared, $tables, ...rows }) {
    this.systemId = $systemId;
    this.position = $position === null ? null : parseLsn($position);
    this.applied = parseLsn($applied);
    this.prepared = new Map(Object.entries($prepared));
    for (const [name, { oid, columns }] of Object.entries($tables)) {
      this.#tables.set(name, this.createTable(name, oid, columns, rows[name]));
    }
  }
}

function readIfExists(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}
