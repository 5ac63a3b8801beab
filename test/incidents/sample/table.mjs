// One table as it was replicated: rows of texts as the server prints them.
import { isUnchanged } from './pgoutput.mjs';

export class Table {
  rows = new Set();
  // By the columns of the replica identity; null where there are none to find rows by.
  #index = null;
  #relation = null;

  constructor(name, oid = null, columns = [], rows = []) {
    this.name = name;
    this.oid = oid;
    this.columns = columns;
    for (const row of rows) this.rows.add(row);
  }

  /** Takes over what a Relation message says. The stored columns count, not what was announced last. */
  describe(relation) {
    if (relation === this.#relation) return;
    this.#relation = relation;
    const names = relation.columns.map(({ name }) => name);
    if (names.join('\0') !== this.columns.join('\0')) this.reshape(names);
    this.#buildIndex();
  }

  /** The stream does not tell a renamed column from a dropped and an added one: the same place is taken for the same column. */
  reshape(names) {
    const before = this.columns;
    const gone = before.filter((name) => !names.includes(name));
    const added = names.filter((name) => !before.includes(name));
    const from = before.length === names.length && gone.length === added.length ? gone : [];
    for (const row of this.rows) {
      for (const [index, name] of added.entries()) row[name] = from[index] === undefined ? null : row[from[index]];
      for (const name of gone) delete row[name];
    }
    this.columns = names;
  }

  insert({ newTuple }) {
    this.put({}, newTuple);
  }

  update({ old, newTuple }) {
    const row = this.find(old ?? { marker: 'K', tuple: newTuple });
    if (row) this.remove(row);
    this.put(row ?? {}, newTuple);
  }

  delete({ old }) {
    const row = this.find(old);
    if (row) this.remove(row);
  }

  truncate() {
    this.rows.clear();
    this.#index?.clear();
  }

  /** The row that an old tuple means: by its key (K), or one that is equal in every column (O). */
  find({ marker, tuple }) {
    if (marker === 'K' && this.#index) return this.#index.get(this.#key((index) => tuple[index]));
    const { columns } = this.#relation;
    for (const row of this.rows) {
      if (columns.every(({ name }, index) => row[name] === tuple[index])) return row;
    }
  }

  /** Writes the values that came. One that is unchanged stays as it was; if it was never seen, it stays away. */
  put(row, tuple) {
    for (const [index, { name }] of this.#relation.columns.entries()) {
      if (!isUnchanged(tuple[index])) row[name] = tuple[index];
    }
    const same = this.#index?.get(this.#keyOf(row));
    if (same && same !== row) this.rows.delete(same);
    this.rows.add(row);
    this.#index?.set(this.#keyOf(row), row);
  }

  remove(row) {
    this.rows.delete(row);
    this.#index?.delete(this.#keyOf(row));
  }

  #buildIndex() {
    const { replicaIdentity, columns } = this.#relation;
    // Under FULL the flags mean "all columns", not a key: two rows may be equal.
    const hasKey = replicaIdentity !== 'f' && columns.some(({ isKey }) => isKey);
    this.#index = hasKey ? new Map([...this.rows].map((row) => [this.#keyOf(row), row])) : null;
  }

  #keyOf(row) {
    return this.#key((_, name) => row[name]);
  }

  #key(value) {
    const values = [];
    for (const [index, { isKey, name }] of this.#relation.columns.entries()) if (isKey) values.push(value(index, name));
    return JSON.stringify(values);
  }
}
