/** What the recorder told, read from INFO messages. */
import { parseLsn } from '../../../src/values/lsn.js';
import type { CatalogSnapshot } from './catalog.js';
import { marker } from './sql.js';

export interface ToldRow {
  readonly kind: 'insert' | 'update' | 'delete';
  readonly relation: number;
  readonly file: number;
  readonly tid: string;
  /** The top-level transaction. */
  readonly xid: number;
  /** Values in attribute order, dropped columns left out. */
  readonly old: readonly (string | null)[] | null;
  readonly new: readonly (string | null)[] | null;
}

export interface ToldTruncate {
  readonly kind: 'truncate';
  readonly relation: number;
  readonly xid: number;
}

export interface ToldDdl {
  readonly kind: 'ddl';
  readonly tag: string;
  /** Where WAL stood after the command. */
  readonly lsn: bigint;
  readonly catalog: CatalogSnapshot;
}

export type Told = ToldRow | ToldTruncate | ToldDdl;

type Json = Record<string, unknown> & { kind: Told['kind'] };

/** @returns undefined for a notice that is not the recorder's */
export function parseTold(notice: string): Told | undefined {
  if (!notice.startsWith(marker)) return undefined;
  const json = JSON.parse(Buffer.from(notice.slice(marker.length), 'hex').toString()) as Json;
  // txid_current counts epochs; WAL does not.
  const xid = Number(BigInt.asUintN(32, BigInt((json['xid'] as number | null) ?? 0)));
  switch (json.kind) {
    case 'ddl':
      return { ...(json as unknown as ToldDdl), lsn: parseLsn(json['lsn'] as string) };
    case 'truncate':
      return { kind: 'truncate', relation: json['relation'] as number, xid };
    default: {
      const row = json as unknown as ToldRow & { old: string | null; new: string | null };
      return { ...row, xid, old: parseRow(row.old), new: parseRow(row.new) };
    }
  }
}

/** Reads the text form of a composite value. */
function parseRow(text: string | null): (string | null)[] | null {
  if (text === null) return null;
  const values: (string | null)[] = [];
  const field = /("(?:[^"\\]|""|\\[\s\S])*"|[^,()"\\]*)[,)]/gy;
  field.lastIndex = 1;
  if (text === '()') return values;
  while (field.lastIndex < text.length) {
    const match = field.exec(text);
    if (match === null) throw new Error(`not a row: ${text}`);
    const value = match[1]!;
    if (value === '') values.push(null);
    else if (value.startsWith('"'))
      values.push(value.slice(1, -1).replace(/""|\\([\s\S])/g, (_, escaped?: string) => escaped ?? '"'));
    else values.push(value);
  }
  return values;
}
