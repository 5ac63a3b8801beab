/** Changes of rows → steps. */
import { liveColumns, type RowChange, type Values } from '../history/history.js';
import { qualified } from './names.js';
import { lsn, tagged, text, unchanged, type Yaml, type YamlMap } from './yaml.js';

export function rowStep(change: RowChange): YamlMap {
  const table = qualified(change.table);
  const at = lsn(change.lsn);
  const { outOfLine } = change;
  switch (change.kind) {
    case 'insert':
      return {
        insert: table,
        row: row(change, change.new!, (name, value) => (outOfLine.has(name) ? tagged('!toasted', value) : text(value))),
        lsn: at,
      };
    case 'update':
      return {
        update: table,
        old: row(change, change.old!, (name, value) =>
          change.unchanged.has(name) ? tagged('!toasted', value) : text(value),
        ),
        new: row(change, change.new!, (name, value) => {
          if (change.unchanged.has(name)) return unchanged;
          return outOfLine.has(name) ? tagged('!toasted', value) : text(value);
        }),
        lsn: at,
      };
    case 'delete':
      return { delete: table, old: row(change, change.old!, (_, value) => text(value)), lsn: at };
  }
}

function row({ table }: RowChange, values: Values, write: (name: string, value: string) => Yaml): YamlMap {
  const entries = liveColumns(table).map(({ name }, index) => {
    const value = values[index] ?? null;
    return [name, value === null ? null : write(name, value)] as const;
  });
  return Object.fromEntries(entries);
}
