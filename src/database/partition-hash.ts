/**
 * The hash by which PostgreSQL spreads rows over hash partitions (hash_bytes_extended, satisfies_hash_partition): it must
 * be the server's own, for a row has to land in the partition where the server puts it.
 */
import { defaultSettings } from '../postgres/settings.js';
import type { PgType } from '../postgres/pg-type.js';
import { StatementError } from './statement-error.js';

const seed = 0x7a5b_2236_7996_dcfdn;
const initial = 0x9e37_79b9 + 3_923_095;

/** @param key - canonical texts of the key columns. @throws StatementError 0A000 for a type whose hash is not known here */
export function partitionHash(types: readonly PgType[], key: readonly (string | null)[]): bigint {
  let hash = 0n;
  for (let i = 0; i < types.length; i++) {
    const text = key[i] ?? null;
    if (text !== null) hash = combine(hash, hashValue(types[i]!, text));
  }
  return hash;
}

function combine(a: bigint, b: bigint): bigint {
  const mixed = b + 0x49a0_f4dd_15e5_a8e3n + BigInt.asUintN(64, a << 54n) + (a >> 7n);
  return BigInt.asUintN(64, a ^ mixed);
}

function hashValue(type: PgType, text: string): bigint {
  if (type.kind === 'domain') return hashValue(type.element!, text);
  switch (type.name) {
    case 'int2':
    case 'int4':
    case 'oid':
      return hashUint32(Number(text));
    case 'bool':
      return hashUint32(text === 't' ? 1 : 0);
    case 'int8':
      return hashInt64(BigInt(text));
    case 'date':
      return hashUint32(Number(sentInteger(type, text)));
    case 'timestamp':
    case 'timestamptz':
      return hashInt64(sentInteger(type, text));
    case 'bpchar':
      return hashBytes(sent(type, text.replace(/ +$/, '')));
    case 'text':
    case 'varchar':
    case 'bytea':
    case 'uuid':
      return hashBytes(sent(type, text));
    default:
      throw new StatementError(
        {
          code: '0A000',
          message: `rows cannot be routed by the hash of type ${type.name}`,
          hint: 'Write to the partition itself, by its name.',
        },
        { kind: 'type', name: type.name },
      );
  }
}

function sent(type: PgType, text: string): Uint8Array {
  return type.send!(text, defaultSettings(18));
}

/** Dates and timestamps are hashed by their stored integer, which is what their send functions send. */
function sentInteger(type: PgType, text: string): bigint {
  let value = 0n;
  const bytes = sent(type, text);
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return BigInt.asIntN(bytes.length * 8, value);
}

/** Both halves count, so that an int8 hashes like the int4 of equal value. */
function hashInt64(value: bigint): bigint {
  const low = Number(BigInt.asUintN(32, value));
  const high = Number(BigInt.asUintN(32, value >> 32n));
  return hashUint32(low ^ (value >= 0n ? high : ~high));
}

function hashUint32(value: number): bigint {
  const state = seeded(4);
  state.a = (state.a + value) | 0;
  return finish(state);
}

function hashBytes(bytes: Uint8Array): bigint {
  const state = seeded(bytes.length);
  let at = 0;
  while (bytes.length - at >= 12) {
    state.a = (state.a + littleEndian(bytes, at, 4)) | 0;
    state.b = (state.b + littleEndian(bytes, at + 4, 4)) | 0;
    state.c = (state.c + littleEndian(bytes, at + 8, 4)) | 0;
    mix(state);
    at += 12;
  }
  const rest = bytes.length - at;
  state.a = (state.a + littleEndian(bytes, at, Math.min(rest, 4))) | 0;
  state.b = (state.b + littleEndian(bytes, at + 4, Math.min(rest - 4, 4))) | 0;
  // The lowest byte of c is the length's.
  state.c = (state.c + (littleEndian(bytes, at + 8, rest - 8) << 8)) | 0;
  return finish(state);
}

interface State {
  a: number;
  b: number;
  c: number;
}

function seeded(length: number): State {
  const start = (initial + length) | 0;
  const state = { a: start, b: start, c: start };
  state.a = (state.a + Number(seed >> 32n)) | 0;
  state.b = (state.b + Number(seed & 0xffff_ffffn)) | 0;
  mix(state);
  return state;
}

function littleEndian(bytes: Uint8Array, at: number, count: number): number {
  let value = 0;
  for (let i = 0; i < count; i++) value |= bytes[at + i]! << (8 * i);
  return value;
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

function mix(s: State): void {
  s.a = (s.a - s.c) ^ rotate(s.c, 4);
  s.c = (s.c + s.b) | 0;
  s.b = (s.b - s.a) ^ rotate(s.a, 6);
  s.a = (s.a + s.c) | 0;
  s.c = (s.c - s.b) ^ rotate(s.b, 8);
  s.b = (s.b + s.a) | 0;
  s.a = (s.a - s.c) ^ rotate(s.c, 16);
  s.c = (s.c + s.b) | 0;
  s.b = (s.b - s.a) ^ rotate(s.a, 19);
  s.a = (s.a + s.c) | 0;
  s.c = (s.c - s.b) ^ rotate(s.b, 4);
  s.b = (s.b + s.a) | 0;
}

function finish(s: State): bigint {
  s.c = ((s.c ^ s.b) - rotate(s.b, 14)) | 0;
  s.a = ((s.a ^ s.c) - rotate(s.c, 11)) | 0;
  s.b = ((s.b ^ s.a) - rotate(s.a, 25)) | 0;
  s.c = ((s.c ^ s.b) - rotate(s.b, 16)) | 0;
  s.a = ((s.a ^ s.c) - rotate(s.c, 4)) | 0;
  s.b = ((s.b ^ s.a) - rotate(s.a, 14)) | 0;
  s.c = ((s.c ^ s.b) - rotate(s.b, 24)) | 0;
  return (BigInt(s.b >>> 0) << 32n) | BigInt(s.c >>> 0);
}
