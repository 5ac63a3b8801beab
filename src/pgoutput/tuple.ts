/** Tuples and column lists: writing and reading, side by side. Their layout: see FieldValues in layout.ts. */
import type { Reader } from '../bytes/reader.js';
import type { Writer } from '../bytes/writer.js';
import { unchanged, type Cell, type RelationColumn, type Tuple } from './messages.js';

// Letters as bytes.
const n = 0x6e;
const u = 0x75;
const t = 0x74;
const b = 0x62;

/** Counts what cannot stand in a tuple among the writer's `badValues`. @param isOld old tuples have no unchanged values. */
export function writeTuple(writer: Writer, tuple: Tuple, isOld: boolean): void {
  writer.int16(tuple.length);
  for (let i = 0; i < tuple.length; i++) {
    const cell = tuple[i] as Cell;
    if (typeof cell === 'string') {
      writer.uint8(t);
      writer.sizedText(cell);
    } else if (cell === null) {
      writer.uint8(n);
    } else if (cell instanceof Uint8Array) {
      writer.uint8(b);
      writer.sizedRaw(cell);
    } else {
      writer.uint8(u);
      if (cell !== unchanged || isOld) writer.badValues++;
    }
  }
}

/**
 * @param isOld old tuples have no unchanged values.
 * @param columnCount how many columns there must be; -1 when that is not known.
 */
export function readTuple(reader: Reader, isOld: boolean, columnCount: number): Tuple {
  const count = reader.count16();
  if (columnCount >= 0 && count !== columnCount) {
    reader.fail(`${columnCount} columns, as in its Relation,`, String(count), reader.offset - 2);
  }
  const tuple: Cell[] = [];
  for (let i = 0; i < count; i++) {
    reader.index = i;
    tuple.push(readCell(reader, isOld));
  }
  reader.index = -1;
  return tuple;
}

function readCell(reader: Reader, isOld: boolean): Cell {
  const kind = reader.uint8('a column');
  switch (kind) {
    case t:
      return reader.text(reader.count32());
    case n:
      return null;
    case b:
      return reader.raw(reader.count32());
    case u:
      if (!isOld) return unchanged;
  }
  return reader.failAtByte(isOld ? 'n, t or b (an old tuple has no u)' : 'n, u, t or b', kind);
}

export function writeColumns(writer: Writer, columns: readonly RelationColumn[]): void {
  writer.int16(columns.length);
  for (const column of columns) {
    writer.uint8(column.key ? 1 : 0);
    writer.cstring(column.name);
    writer.int32(column.typeOid);
    writer.int32(column.typeModifier);
  }
}

export function readColumns(reader: Reader): readonly RelationColumn[] {
  const count = reader.count16();
  const columns: RelationColumn[] = [];
  for (let i = 0; i < count; i++) {
    reader.index = i;
    const flags = reader.uint8('a column');
    if (flags > 1) reader.failAtByte('column flags 0 or 1 (key)', flags);
    columns.push({
      key: flags === 1,
      name: reader.cstring(),
      typeOid: reader.uint32(),
      typeModifier: reader.int32(),
    });
  }
  reader.index = -1;
  return columns;
}
