/**
 * Messages as JSON values: what `encode`, `decode` and `tail --json` print, one a line. Properties are the message's own, in
 * the order of the bytes; optional ones (`xid`, a Stream Abort's LSN and time) are there when the message has them. LSNs are
 * `X/X`, times ISO 8601 with six decimals and Z, cells null, text, `{"binary":"hex"}` or `{"unchanged":true}`. A logical
 * message's `content` is in hexadecimal; where it is UTF-8, `contentText` says it again.
 */
import { formatHex, parseHex } from '../values/hex.js';
import { formatLsn, parseLsn } from '../values/lsn.js';
import { formatTimestamp, parseTimestamp } from '../values/timestamp.js';
import { EncodeError } from './encode-error.js';
import { checkFields, refuse, refuseOthers } from './field-legality.js';
import { layoutOfKind, type Field } from './layout.js';
import { unchanged, type Cell, type Message, type MessageKind, type OldTuple, type Tuple } from './messages.js';
import { checkValues } from './value-legality.js';

/** What JSON.parse gives. */
export type JsonValue =
  null | boolean | number | string | readonly JsonValue[] | { readonly [name: string]: JsonValue };

/** The message as a JSON value: LSNs as text, times as ISO 8601, cells null, text, `{"binary":"hex"}` or `{"unchanged":true}`. */
export function messageToJson(message: Message): { readonly [name: string]: JsonValue } {
  const properties = message as unknown as Readonly<Record<string, unknown>>;
  const json: Record<string, JsonValue> = { kind: message.kind };
  for (const field of layoutOfKind(message.kind)!.fields) {
    for (const name of propertiesOf(field)) {
      if (properties[name] !== undefined) json[name] = valueToJson(field, properties[name]);
    }
  }
  const text = message.kind === 'message' ? utf8Text(message.content) : null;
  if (text !== null) json['contentText'] = text;
  return json;
}

/**
 * The message whose JSON form this is.
 * @throws EncodeError when it is none.
 */
export function messageFromJson(json: JsonValue): Message {
  if (!isObject(json)) throw new EncodeError(null, null, 'a message in JSON is an object');
  const kind = json['kind'] as MessageKind;
  const layout = layoutOfKind(kind);
  if (layout === undefined) throw new EncodeError(null, 'kind', `there is no message ${JSON.stringify(kind)}`);
  const message: Record<string, unknown> = { kind };
  for (const field of layout.fields) {
    for (const name of propertiesOf(field)) {
      const value = json[name];
      if (value !== undefined) message[name] = valueFromJson(kind, name, field, value);
    }
  }
  refuseOthers(kind, null, json, [...Object.keys(message), ...(kind === 'message' ? ['contentText'] : [])]);
  const result = message as unknown as Message;
  checkFields(layout, result, { streaming: 'abortLsn' in message ? 'parallel' : 'on' });
  checkValues(layout, result);
  if (result.kind === 'message' && (json['contentText'] ?? utf8Text(result.content)) !== utf8Text(result.content)) {
    throw new EncodeError(kind, 'contentText', 'is not what content says');
  }
  return result;
}

/** The message's properties that a field of the bytes stands for. */
function propertiesOf({ name, kind, bits }: Field): readonly string[] {
  if (kind === 'flags') return bits.map((bit) => bit.name);
  return kind === 'relationCount' ? [] : [name];
}

function valueToJson({ kind }: Field, value: unknown): JsonValue {
  switch (kind) {
    case 'lsn':
    case 'abortLsn':
      return formatLsn(value as bigint);
    case 'time':
    case 'abortTime':
      return formatTimestamp(value as bigint);
    case 'newTuple':
      return tupleToJson(value as Tuple);
    case 'oldTuple':
    case 'oldTupleIfAny': {
      const old = value as OldTuple | null;
      return old && { marker: old.marker, columns: tupleToJson(old.columns) };
    }
    case 'content':
      return formatHex(value as Uint8Array);
    default:
      // Texts, numbers, booleans and lists of them: JSON already.
      return value as JsonValue;
  }
}

function valueFromJson(message: MessageKind, name: string, { kind }: Field, value: JsonValue): unknown {
  switch (kind) {
    case 'lsn':
    case 'abortLsn':
      return parsed(message, name, value, parseLsn);
    case 'time':
    case 'abortTime':
      return parsed(message, name, value, parseTimestamp);
    case 'newTuple':
      return tupleFromJson(message, name, value);
    case 'oldTuple':
    case 'oldTupleIfAny':
      if (!isObject(value)) return value;
      refuseOthers(message, name, value, ['marker', 'columns']);
      return { ...value, columns: tupleFromJson(message, name, value['columns'] ?? null) };
    case 'content':
      return parsed(message, name, value, parseHex);
    case 'columns':
      if (!Array.isArray(value)) return value;
      (value as readonly JsonValue[]).forEach((column, i) => {
        if (!isObject(column)) refuse(message, `${name}[${i}]`, 'an object', column);
        refuseOthers(message, `${name}[${i}]`, column, ['key', 'name', 'typeOid', 'typeModifier']);
      });
      return value;
    default:
      return value;
  }
}

function tupleToJson(tuple: Tuple): JsonValue {
  return tuple.map((cell) => {
    if (cell === unchanged) return { unchanged: true };
    return cell === null || typeof cell === 'string' ? cell : { binary: formatHex(cell) };
  });
}

function tupleFromJson(message: MessageKind, name: string, tuple: JsonValue): unknown {
  if (!Array.isArray(tuple)) return tuple;
  return (tuple as readonly JsonValue[]).map((cell, i): Cell => {
    if (cell === null || typeof cell === 'string') return cell;
    if (isObject(cell) && Object.keys(cell).length === 1) {
      if (cell['unchanged'] === true) return unchanged;
      if (cell['binary'] !== undefined) return parsed(message, `${name}[${i}].binary`, cell['binary'], parseHex);
    }
    return refuse(message, `${name}[${i}]`, 'null, text, {"binary":"hex"} or {"unchanged":true}', cell);
  });
}

function parsed<T>(message: MessageKind, name: string, value: JsonValue, parse: (text: string) => T): T {
  if (typeof value !== 'string') return refuse(message, name, 'text', value);
  try {
    return parse(value);
  } catch (error) {
    throw new EncodeError(message, name, (error as SyntaxError).message);
  }
}

function isObject(value: JsonValue): value is { readonly [name: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function utf8Text(bytes: Uint8Array): string | null {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return null;
  }
}
