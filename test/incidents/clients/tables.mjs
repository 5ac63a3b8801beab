// What a program on top of a client library keeps: rows in $STATE_FILE, written whole and at once.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';

const file = process.env.STATE_FILE;

export class Tables {
  #rows;

  constructor() {
    try {
      this.#rows = JSON.parse(readFileSync(file, 'utf8'));
    } catch {
      this.#rows = {};
    }
  }

  /** Once: a transaction that ends at this position, or before, may come again. */
  commit(endLsn, changes, apply) {
    const [high, low] = endLsn.split('/').map((half) => BigInt(`0x${half}`));
    const end = (high << 32n) | low;
    if (end <= BigInt(this.#rows.$applied ?? 0)) return;
    for (const change of changes) apply(change);
    this.#rows.$applied = String(end);
    this.save();
  }

  save() {
    writeFileSync(`${file}.new`, JSON.stringify(this.#rows));
    renameSync(`${file}.new`, file);
  }

  truncate(table) {
    this.#rows[table] = [];
  }

  /** @param key values of some columns, which tell the row */
  delete(table, key) {
    const rows = (this.#rows[table] ??= []);
    const at = this.#find(rows, key);
    return at < 0 ? {} : rows.splice(at, 1)[0];
  }

  /** Values that are undefined stay as they were. */
  upsert(table, key, values) {
    const before = this.delete(table, key);
    const given = Object.entries(values).filter(([, value]) => value !== undefined);
    this.#rows[table].push({ ...before, ...Object.fromEntries(given) });
  }

  insert(table, values) {
    (this.#rows[table] ??= []).push(values);
  }

  #find(rows, key) {
    return rows.findIndex((row) => Object.entries(key).every(([name, value]) => row[name] === value));
  }
}

/** The columns of a row that have these names. */
export function pick(row, names) {
  return Object.fromEntries(names.map((name) => [name, row[name]]));
}
