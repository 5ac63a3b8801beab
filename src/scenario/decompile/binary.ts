/**
 * Receive functions of the types that most columns have. Nothing depends on them being complete: a value of another type
 * is written as the bytes that it is, and whoever reads one here checks that sending gives the same bytes again.
 */
import type { PgType } from '../../postgres/index.js';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const texts = new Set(['text', 'varchar', 'bpchar', 'name', 'json', 'xml', 'unknown']);

/** Canonical text; undefined where it is not known how to read it. */
export function readBinary(type: PgType, bytes: Uint8Array): string | undefined {
  let base = type;
  while (base.kind === 'domain' && base.element !== undefined) base = base.element;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (texts.has(base.name) || base.kind === 'enum') return decoded(bytes);
  switch (`${base.name}/${bytes.length}`) {
    case 'bool/1':
      return bytes[0] === 1 ? 't' : 'f';
    case 'int2/2':
      return String(view.getInt16(0));
    case 'int4/4':
      return String(view.getInt32(0));
    case 'int8/8':
      return String(view.getBigInt64(0));
    case 'oid/4':
      return String(view.getUint32(0));
    case 'uuid/16':
      return hex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  }
  switch (base.name) {
    case 'bytea':
      return `\\x${hex(bytes)}`;
    case 'jsonb':
      return bytes[0] === 1 ? decoded(bytes.subarray(1)) : undefined;
    case 'numeric':
      return numeric(view);
    default:
      return undefined;
  }
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** numeric_send: count of digits to base 10000, weight of the first, sign, display scale, digits. */
function numeric(view: DataView): string | undefined {
  if (view.byteLength < 8) return undefined;
  const [count, weight, sign, scale] = [view.getInt16(0), view.getInt16(2), view.getUint16(4), view.getInt16(6)];
  if (view.byteLength !== 8 + 2 * count) return undefined;
  if (sign === 0xc000) return 'NaN';
  if (sign === 0xd000) return 'Infinity';
  if (sign === 0xf000) return '-Infinity';
  const digit = (i: number): string =>
    i < 0 || i >= count ? '0000' : String(view.getInt16(8 + 2 * i)).padStart(4, '0');
  let whole = '';
  for (let i = 0; i <= weight; i++) whole += digit(i);
  let fraction = '';
  for (let i = weight + 1; fraction.length < scale; i++) fraction += digit(i);
  const text = whole.replace(/^0+(?=\d)/, '') || '0';
  return `${sign === 0x4000 ? '-' : ''}${text}${scale > 0 ? `.${fraction.slice(0, scale)}` : ''}`;
}
