/** Reads the bodies of messages that clients send (manual: "Message Formats"). */
import { WireError } from '../values/wire-error.js';

/** Type bytes. */
export const frontendType = {
  bind: 0x42,
  close: 0x43,
  copyData: 0x64,
  copyDone: 0x63,
  copyFail: 0x66,
  describe: 0x44,
  execute: 0x45,
  flush: 0x48,
  functionCall: 0x46,
  parse: 0x50,
  password: 0x70,
  query: 0x51,
  sync: 0x53,
  terminate: 0x58,
} as const;

export interface ParseMessage {
  readonly statement: string;
  readonly query: string;
  readonly parameterTypes: readonly number[];
}

export interface BindMessage {
  readonly portal: string;
  readonly statement: string;
  readonly parameterFormats: readonly number[];
  readonly parameters: readonly (Uint8Array | null)[];
  readonly resultFormats: readonly number[];
}

/** Describe and Close. */
export interface TargetMessage {
  readonly target: 'statement' | 'portal';
  readonly name: string;
}

export interface ExecuteMessage {
  readonly portal: string;
  /** 0: all. */
  readonly maxRows: number;
}

/** The user's password as sent: its NUL is left off. */
export function readPassword(body: Uint8Array): string {
  return new BodyReader(body).only((reader) => reader.string());
}

/** SASLInitialResponse. `data` null: none sent. */
export function readSaslInitialResponse(body: Uint8Array): {
  readonly mechanism: string;
  readonly data: string | null;
} {
  return new BodyReader(body).only((reader) => {
    const mechanism = reader.string();
    const data = reader.sizedBytes();
    return { mechanism, data: data === null ? null : textOf(data) };
  });
}

export function readQuery(body: Uint8Array): string {
  return new BodyReader(body).only((reader) => reader.string());
}

export function readParse(body: Uint8Array): ParseMessage {
  return new BodyReader(body).only((reader) => ({
    statement: reader.string(),
    query: reader.string(),
    parameterTypes: reader.list(() => reader.int32() >>> 0),
  }));
}

export function readBind(body: Uint8Array): BindMessage {
  return new BodyReader(body).only((reader) => ({
    portal: reader.string(),
    statement: reader.string(),
    parameterFormats: reader.list(() => reader.int16()),
    parameters: reader.list(() => reader.sizedBytes()?.slice() ?? null),
    resultFormats: reader.list(() => reader.int16()),
  }));
}

/** @param messageName for the error: DESCRIBE or CLOSE */
export function readTarget(body: Uint8Array, messageName: string): TargetMessage {
  return new BodyReader(body).only((reader) => {
    const target = reader.uint8();
    const name = reader.string();
    if (target === 0x53) return { target: 'statement', name };
    if (target === 0x50) return { target: 'portal', name };
    throw violation(`invalid ${messageName} message subtype ${target}`);
  });
}

export function readExecute(body: Uint8Array): ExecuteMessage {
  return new BodyReader(body).only((reader) => ({ portal: reader.string(), maxRows: Math.max(0, reader.int32()) }));
}

export function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}

export function violation(message: string): WireError {
  return new WireError({ code: '08P01', message });
}

/** A cursor over one body. @throws WireError 08P01, worded as the server does, for what does not fit. */
export class BodyReader {
  readonly #view: DataView;
  #position = 0;

  constructor(readonly body: Uint8Array) {
    this.#view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  }

  /** Reads with `read`, after which nothing may be left. */
  only<T>(read: (reader: this) => T): T {
    const value = read(this);
    if (this.#position !== this.body.length) throw violation('invalid message format');
    return value;
  }

  uint8(): number {
    if (this.#position >= this.body.length) throw violation('no data left in message');
    return this.body[this.#position++]!;
  }

  int16(): number {
    return this.#view.getUint16(this.#advance(2));
  }

  int32(): number {
    return this.#view.getInt32(this.#advance(4));
  }

  int64(): bigint {
    return this.#view.getBigUint64(this.#advance(8));
  }

  string(): string {
    const end = this.body.indexOf(0, this.#position);
    if (end < 0) throw violation('invalid string in message');
    const text = textOf(this.body.subarray(this.#position, end));
    this.#position = end + 1;
    return text;
  }

  /** Int32 length and bytes; null for length -1. A view. */
  sizedBytes(): Uint8Array | null {
    const length = this.int32();
    if (length === -1) return null;
    if (length < 0) throw violation('insufficient data left in message');
    const start = this.#advance(length);
    return this.body.subarray(start, start + length);
  }

  /** Int16 count and items. */
  list<T>(item: () => T): T[] {
    const count = this.int16();
    const items: T[] = [];
    for (let i = 0; i < count; i++) items.push(item());
    return items;
  }

  #advance(count: number): number {
    const start = this.#position;
    if (start + count > this.body.length) throw violation('insufficient data left in message');
    this.#position = start + count;
    return start;
  }
}
