/** The backend messages of a result, taken apart as bytes: values keep the format in which they were sent. */
import { Reader } from '../bytes/reader.js';
import type { Field, SqlOutput } from '../sql/engine.js';
import { WireError, type WireErrorFields } from '../values/wire-error.js';

/** A message without its type and length. */
export interface Frame {
  /** Its type's letter. */
  readonly type: string;
  readonly body: Uint8Array;
}

/** Splits what comes into messages. */
export class Frames {
  #rest = Buffer.alloc(0);

  *take(chunk: Uint8Array): Generator<Frame> {
    this.#rest = this.#rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.#rest, chunk]);
    let offset = 0;
    for (;;) {
      const end = offset + 5 > this.#rest.length ? Infinity : offset + 1 + this.#rest.readUInt32BE(offset + 1);
      if (end > this.#rest.length) break;
      yield { type: String.fromCharCode(this.#rest[offset]!), body: this.#rest.subarray(offset + 5, end) };
      offset = end;
    }
    this.#rest = this.#rest.subarray(offset);
  }
}

/** Undefined for what is no part of a result. */
export function outputOf({ type, body }: Frame): SqlOutput | undefined {
  switch (type) {
    case 'T':
      return { kind: 'rowDescription', fields: fieldsOf(body) };
    case 'D':
      return { kind: 'row', values: valuesOf(body) };
    case 'C':
      return { kind: 'complete', tag: textOf(body) };
    case 'I':
      return { kind: 'empty' };
    case 's':
      return { kind: 'suspended' };
    case 'N':
      return { kind: 'notice', notice: new WireError(errorFieldsOf(body)) };
    case 'H':
      return { kind: 'copyOut', format: body[0] === 1 ? 1 : 0, columns: new Reader(body.subarray(1)).int16() };
    case 'd':
      return { kind: 'copyData', data: body };
    case 'c':
      return { kind: 'copyDone' };
    default:
      return undefined;
  }
}

export function fieldsOf(body: Uint8Array): Field[] {
  const reader = new Reader(body);
  return Array.from({ length: reader.int16() }, () => ({
    name: reader.cstring(),
    tableOid: reader.uint32(),
    attnum: reader.int16(),
    typeOid: reader.uint32(),
    typeLength: reader.int16(),
    typeModifier: reader.int32(),
    format: reader.int16() === 1 ? 1 : 0,
  }));
}

function valuesOf(body: Uint8Array): (Uint8Array | null)[] {
  const view = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  let offset = 2;
  return Array.from({ length: view.readInt16BE(0) }, () => {
    const length = view.readInt32BE(offset);
    offset += 4;
    if (length < 0) return null;
    offset += length;
    return view.subarray(offset - length, offset);
  });
}

/** ParameterDescription. */
export function parameterTypesOf(body: Uint8Array): number[] {
  const reader = new Reader(body);
  return Array.from({ length: reader.int16() }, () => reader.uint32());
}

export function errorFieldsOf(body: Uint8Array): WireErrorFields {
  const fields = new Map(
    Buffer.from(body)
      .toString()
      .split('\0')
      .filter((field) => field !== '')
      .map((field) => [field[0]!, field.slice(1)] as const),
  );
  const [detail, hint, where, position] = ['D', 'H', 'W', 'P'].map((letter) => fields.get(letter));
  return {
    severity: (fields.get('V') ?? fields.get('S') ?? 'ERROR') as NonNullable<WireErrorFields['severity']>,
    code: fields.get('C') ?? 'XX000',
    message: fields.get('M') ?? '',
    ...(detail !== undefined && { detail }),
    ...(hint !== undefined && { hint }),
    ...(where !== undefined && { where }),
    ...(position !== undefined && { position: Number(position) }),
  };
}

function textOf(body: Uint8Array): string {
  return Buffer.from(body).toString('utf8', 0, body.length - 1);
}
