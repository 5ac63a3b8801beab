/** Columns of the walsender's own result sets: of no table, in text format. */
import type { ResultField } from '../protocol/backend-messages.js';

type ColumnType = 'text' | 'int4' | 'int8' | 'bytea';

const types: Readonly<Record<ColumnType, { readonly oid: number; readonly length: number }>> = {
  bytea: { oid: 17, length: -1 },
  int8: { oid: 20, length: 8 },
  int4: { oid: 23, length: 4 },
  text: { oid: 25, length: -1 },
};

export function column(name: string, type: ColumnType = 'text', typeModifier = -1): ResultField {
  const { oid, length } = types[type];
  return { name, tableOid: 0, attnum: 0, typeOid: oid, typeLength: length, typeModifier, format: 0 };
}
