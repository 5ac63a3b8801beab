/** What real servers answered to corpus.yaml, and how answers are compared with it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { SqlOutput, SqlSession } from '../../src/sql/index.js';
import { WireError } from '../../src/values/wire-error.js';

export type RecordedMessage = readonly [string, ...unknown[]];

export const majors = [10, 11, 12, 13, 14, 15, 16, 17, 18];

/** What the servers answered: `sql`, and under ranges of majors (`10-12,14`) the messages. */
type RecordedQuery = Readonly<Record<string, unknown>> & { readonly sql: string };

interface Recorded {
  readonly versions: Readonly<Record<string, string>>;
  readonly groups: Readonly<Record<string, readonly RecordedQuery[]>>;
}

const recorded = JSON.parse(readFileSync(join(__dirname, 'recorded.json'), 'utf8')) as Recorded;

export function versionOf(major: number): string {
  return recorded.versions[major]!;
}

/** The messages with which a server of this major answered the group's query; undefined where it was not asked. */
export function recordedAnswer(group: string, index: number, major: number): readonly RecordedMessage[] | undefined {
  const answers = recorded.groups[group]![index]!;
  const range = Object.keys(answers).find((key) => key !== 'sql' && key.split(',').some((part) => isIn(part, major)));
  return range === undefined ? undefined : (answers[range] as RecordedMessage[]);
}

function isIn(range: string, major: number): boolean {
  const [from, to = from] = range.split('-').map(Number);
  return major >= from! && major <= to!;
}

export interface CorpusEntry {
  readonly sql: string;
  readonly params?: readonly string[];
  readonly types?: readonly number[];
  /** Results in binary. */
  readonly binary?: boolean;
  readonly volatile?: readonly string[];
  /** ORDER BY stands in a subquery only. */
  readonly unordered?: boolean;
  readonly min?: number;
  readonly max?: number;
}

export function corpus(): Readonly<Record<string, readonly CorpusEntry[]>> {
  const { groups } = parse(readFileSync(join(__dirname, 'corpus.yaml'), 'utf8')) as {
    groups: Record<string, (string | CorpusEntry)[]>;
  };
  return Object.fromEntries(
    Object.entries(groups).map(([name, entries]) => [
      name,
      entries.map((entry) => (typeof entry === 'string' ? { sql: entry } : entry)),
    ]),
  );
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

function messageOf(output: SqlOutput): RecordedMessage {
  switch (output.kind) {
    case 'rowDescription':
      return [
        'T',
        ...output.fields.map((f) => [f.name, f.typeOid, f.typeModifier, f.typeLength, f.tableOid, f.attnum]),
      ];
    case 'row':
      return ['D', ...output.values.map((value) => (value instanceof Uint8Array ? hex(value) : value))];
    case 'copyOut':
      return ['H', output.format, output.columns];
    case 'copyData':
      return ['d', hex(output.data)];
    case 'copyDone':
      return ['c'];
    case 'complete':
      return ['C', output.tag];
    case 'empty':
      return ['I'];
    case 'suspended':
      return ['s'];
    case 'notice':
      return ['N', errorFields(output.notice)];
    case 'parameter':
      return ['S', output.name, output.value];
    case 'wait':
      return ['wait', output.wait.kind];
  }
}

function errorFields(error: WireError): Record<string, string> {
  const fields: Record<string, string> = { S: error.severity, C: error.code, M: error.message };
  if (error.detail !== undefined) fields['D'] = error.detail;
  if (error.hint !== undefined) fields['H'] = error.hint;
  if (error.position !== undefined) fields['P'] = String(error.position);
  if (error.where !== undefined) fields['W'] = error.where;
  return fields;
}

function guarded(act: () => void, messages: RecordedMessage[]): boolean {
  try {
    act();
    return true;
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    messages.push(['E', errorFields(error)]);
    return false;
  }
}

/** A Query message, and ReadyForQuery. */
export function simple(session: SqlSession, sql: string): RecordedMessage[] {
  const messages: RecordedMessage[] = [];
  guarded(() => {
    for (const output of session.query(sql)) messages.push(messageOf(output));
  }, messages);
  messages.push(['Z', session.transactionStatus]);
  return messages;
}

/** Parse, Describe statement, Bind, Execute, Sync. */
export function extended(
  session: SqlSession,
  sql: string,
  { params = [], types = [], binary }: CorpusEntry,
): RecordedMessage[] {
  const messages: RecordedMessage[] = [];
  guarded(() => {
    session.parse('', sql, types);
    const { parameterTypes, fields } = session.describeStatement('');
    messages.push(['t', ...parameterTypes]);
    messages.push(fields === null ? ['n'] : messageOf({ kind: 'rowDescription', fields }));
    const values = params.map((param) => Buffer.from(param));
    session.bind('', '', [], values, binary === true ? [1] : []);
    for (const output of session.execute('', 0)) messages.push(messageOf(output));
  }, messages);
  session.sync();
  messages.push(['Z', session.transactionStatus]);
  return messages;
}

const oidType = 26;
const firstUserOid = 16_384;
/** pg_lsn, timestamptz. */
const unstableTypes = [3220, 1184];

/** What differs from server to server: OIDs become names, what is unstable becomes *. scripts/record-sql.mjs does the same. */
export function normalized(
  messages: readonly RecordedMessage[],
  entry: CorpusEntry,
  names: ReadonlyMap<number, string>,
): RecordedMessage[] {
  const nameOf = (oid: number): number | string => (oid >= firstUserOid ? (names.get(oid) ?? '<oid>') : oid);
  let fields: [string, number, number, number, number, number][] = [];
  return messages.map((message) => {
    const [type, ...rest] = message;
    if (type === 'T') {
      fields = rest as typeof fields;
      return [
        'T',
        ...fields.map(([name, typeOid, typmod, length, table, attnum]) => [
          name,
          nameOf(typeOid),
          typmod,
          length,
          nameOf(table),
          attnum,
        ]),
      ];
    }
    if (type !== 'D') return message;
    const values = rest.map((value, i) => {
      const [name, typeOid] = fields[i]!;
      if (value === null) return null;
      const isUnstable = unstableTypes.includes(typeOid) && !isStable(entry.sql);
      if (entry.volatile?.includes(name) === true || isUnstable) return '*';
      return typeOid === oidType && entry.binary !== true ? String(nameOf(Number(value))) : value;
    });
    return ['D', ...values];
  });
}

/** Rows without ORDER BY come in any order. */
export function comparable(messages: readonly RecordedMessage[], entry: CorpusEntry): unknown[] {
  const isOrdered = /order by/i.test(entry.sql) && entry.unordered !== true;
  const rows = messages.filter(([type]) => type === 'D').map((row) => JSON.stringify(row));
  if (!isOrdered) rows.sort();
  const lines = messages.map((message) => (message[0] === 'D' ? rows.shift() : JSON.stringify(message)));
  return sortedSettings(lines);
}

/** Settings that change at once are reported in no particular order, by some servers twice. */
function sortedSettings(lines: readonly (string | undefined)[]): (string | undefined)[] {
  const isSetting = (line: string | undefined): boolean => line?.startsWith('["S"') === true;
  const settings = [...new Set(lines.filter(isSetting))].sort();
  return lines.map((line) => (isSetting(line) ? settings.shift() : line)).filter((line) => line !== undefined);
}

/** LSNs and times that stand in the query or in a table are compared. */
function isStable(sql: string): boolean {
  return /FROM users|'0\/16B3748'|timestamptz|\(0\)/.test(sql);
}
