/** The pieces that send functions are made of: fixed-width numbers in network byte order, UTF-8 text. */

const encoder = new TextEncoder();

export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

export function int16Bytes(value: number): Uint8Array {
  return Uint8Array.of(value >>> 8, value);
}

/** Signed or unsigned. */
export function int32Bytes(value: number): Uint8Array {
  return Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value);
}

/** Signed or unsigned. */
export function int64Bytes(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt.asUintN(64, value));
  return bytes;
}

export function float4Bytes(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setFloat32(0, value);
  return bytes;
}

export function float8Bytes(...values: number[]): Uint8Array {
  const bytes = new Uint8Array(8 * values.length);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < values.length; i++) view.setFloat64(8 * i, values[i]!);
  return bytes;
}

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}

/** A length and that many bytes; null is the length -1. */
export function pushSized(parts: Uint8Array[], value: Uint8Array | null): void {
  if (value === null) {
    parts.push(int32Bytes(-1));
  } else {
    parts.push(int32Bytes(value.length), value);
  }
}
