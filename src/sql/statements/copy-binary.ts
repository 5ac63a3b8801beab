/** COPY's binary format (manual, COPY: Binary Format). */
import type { StatementContext } from '../context.js';
import type { Value } from '../expression/expression.js';
import type { QueryColumn } from '../query/query.js';

/** `PGCOPY\n\377\r\n\0`, flags, length of the header extension. */
const header = Uint8Array.of(0x50, 0x47, 0x43, 0x4f, 0x50, 0x59, 0x0a, 0xff, 0x0d, 0x0a, 0, 0, 0, 0, 0, 0, 0, 0, 0);
const trailer = Uint8Array.of(0xff, 0xff);

/** The header goes out with the first row. */
export function* binaryLines(
  rows: Iterable<readonly Value[]>,
  columns: readonly QueryColumn[],
  context: StatementContext,
): Generator<Uint8Array> {
  const settings = context.session.outputSettings;
  let before: readonly Uint8Array[] = [header];
  for (const row of rows) {
    const fields = row.map((value, i) =>
      value === null ? null : context.types.send(columns[i]!.type, value, settings),
    );
    yield concatenated([...before, rowBytes(fields)]);
    before = [];
  }
  yield concatenated([...before, trailer]);
}

function rowBytes(fields: readonly (Uint8Array | null)[]): Uint8Array {
  const bytes = new Uint8Array(fields.reduce((sum, field) => sum + 4 + (field?.length ?? 0), 2));
  const view = new DataView(bytes.buffer);
  view.setInt16(0, fields.length);
  let at = 2;
  for (const field of fields) {
    view.setInt32(at, field?.length ?? -1);
    at += 4;
    if (field !== null) bytes.set(field, at);
    at += field?.length ?? 0;
  }
  return bytes;
}

function concatenated(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0]!;
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
