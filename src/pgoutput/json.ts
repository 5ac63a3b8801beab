/**
 * Messages as JSON values: what `encode`, `decode` and `tail --json` print, one a line. LSNs are `X/X` text, times ISO 8601
 * with six decimals and Z, cells null, text, `{"binary":"hex"}` or `{"unchanged":true}`; the content of a logical message is
 * text where it is UTF-8, else `{"binary":"hex"}`.
 */
import { formatLsn } from '../values/lsn.js';
import { formatTimestamp } from '../values/timestamp.js';
import { layoutOfKind, type Field } from './layout.js';
import { unchanged, type Cell, type Message, type OldTuple, type Tuple } from './messages.js';

export type JsonValue =
  null | boolean | number | string | readonly JsonValue[] | { readonly [name: string]: JsonValue };

/** Fields in the order of the bytes; optional ones (`xid`, a Stream Abort's LSN and time) only where the message has them. */
export function messageToJson(message: Message): { readonly [name: string]: JsonValue } {
  const properties = message as unknown as Readonly<Record<string, unknown>>;
  const json: Record<string, JsonValue> = { kind: message.kind };
  for (const field of layoutOfKind(message.kind)!.fields) {
    if (field.kind === 'flags') {
      for (const { name } of field.bits) json[name] = properties[name] === true;
    } else if (field.kind !== 'relationCount' && properties[field.name] !== undefined) {
      json[field.name] = fieldToJson(field, properties[field.name]);
    }
  }
  return json;
}

function fieldToJson({ kind }: Field, value: unknown): JsonValue {
  switch (kind) {
    case 'lsn':
    case 'abortLsn':
      return formatLsn(value as bigint);
    case 'time':
    case 'abortTime':
      return formatTimestamp(value as bigint);
    case 'newTuple':
      return (value as Tuple).map(cellToJson);
    case 'oldTuple':
    case 'oldTupleIfAny':
      return oldTupleToJson(value as OldTuple | null);
    case 'content':
      return contentToJson(value as Uint8Array);
    default:
      // Names, numbers, and lists of them.
      return value as JsonValue;
  }
}

function oldTupleToJson(tuple: OldTuple | null): JsonValue {
  return tuple === null ? null : { marker: tuple.marker, columns: tuple.columns.map(cellToJson) };
}

export function cellToJson(cell: Cell): JsonValue {
  if (cell === unchanged) return { unchanged: true };
  return cell === null || typeof cell === 'string' ? cell : { binary: hex(cell) };
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function contentToJson(content: Uint8Array): JsonValue {
  try {
    return strictUtf8.decode(content);
  } catch {
    return { binary: hex(content) };
  }
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
