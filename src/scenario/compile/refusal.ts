/** What the database refuses → diagnostics at the place that is to blame. */
import { StatementError } from '../../database/index.js';
import type { DiagnosticCode, Problems } from '../diagnostic.js';
import type { Row } from '../format/values.js';
import type { Read } from '../object.js';
import type { Span } from '../source.js';
import type { Compilation } from './compilation.js';

/** Parts of a statement that messages can point at. */
export interface StatementParts {
  /** `UPDATE on public.users`: how messages begin. */
  readonly what: string;
  /** Where the statement stands; its pins are found by its keys. */
  readonly step: Read;
  /** Rows in which columns are named. */
  readonly rows?: readonly (Row | undefined)[];
  /** The row is one of many made alike: a key that is there already is passed over. */
  readonly repeated?: boolean;
  /** Names of the publications that publish a kind of change of the statement's table. */
  readonly publishers?: (action: 'update' | 'delete') => readonly string[];
}

/** Runs a statement. False when it was refused, which is then reported. */
export function attempt(compilation: Compilation, parts: StatementParts, statement: () => void): boolean {
  try {
    statement();
    return true;
  } catch (error) {
    return settle(error, compilation, parts);
  }
}

/** What a statement has thrown. False when it was refused, which is then reported. @throws what is no refusal */
export function settle(error: unknown, compilation: Compilation, parts: StatementParts): boolean {
  if (!(error instanceof StatementError)) throw error;
  if (error.code === duplicateKey && parts.repeated === true) {
    const message = `${parts.what}: a row with this key is there already, so that this one is left out`;
    compilation.report('duplicate-name', parts.step.at, message, { severity: 'warning' });
    return true;
  }
  reportRefusal(compilation, error, parts);
  return false;
}

const duplicateKey = '23505';

function reportRefusal(compilation: Compilation, error: StatementError, parts: StatementParts): void {
  const explained = isExplained(error, parts, compilation.problems);
  const { problems } = compilation;
  (parts.rows === undefined ? problems.lost : problems.lostRows).push(parts.step.whole);
  if (explained) return;
  compilation.report(codeOf(error), placeOf(error, parts), messageOf(error, parts), { hint: error.hint });
}

/** Whether an earlier mistake kept away what this statement needs: not a second mistake. */
function isExplained({ code, subject }: StatementError, { rows }: StatementParts, problems: Problems): boolean {
  if (subject === undefined) return false;
  if (code.startsWith('42')) return problems.explains(subject.name);
  if (code !== noSuchRow) return false;
  // A row that was lost may be one that is looked for here.
  const wanted = (rows ?? []).flatMap((row) => row?.map(({ value }) => value) ?? []);
  const texts = wanted.flatMap((value) => (value.kind === 'text' ? [value.text] : []));
  return texts.length < wanted.length
    ? problems.explainsRow(subject.name)
    : [...texts, '{{'].some((text) => problems.explainsRow(subject.name, text));
}

const noSuchRow = '02000';

function codeOf(error: StatementError): DiagnosticCode {
  if (error.code === '23502') return 'missing-value';
  if (error.code === noSuchRow) return 'no-effect';
  if (error.code === '42P01') return 'unknown-table';
  if (error.code === '42703') return 'unknown-column';
  return error.code === '3B001' || (error.code === '42704' && error.subject?.kind !== 'index')
    ? 'unknown-name'
    : 'refused-by-server';
}

/** Codes that the database gives to what no server is ever asked. */
const ownRules = new Set(['22023', '55P03', noSuchRow]);

function messageOf(error: StatementError, parts: StatementParts): string {
  const said = replicaIdentityMessage(error, parts) ?? error.message;
  const detail = error.detail === undefined ? '' : ` (${error.detail.replace(/\.$/, '')})`;
  const refusal = ownRules.has(error.code) ? '' : `; a real server refuses this statement with ${error.code}`;
  return `${parts.what}: ${said}${detail}${refusal}`;
}

/** The server's text tells less than the author needs: which publication it is. */
function replicaIdentityMessage(error: StatementError, { publishers }: StatementParts): string | undefined {
  const action = /does not have a replica identity and publishes (update|delete)s/.exec(error.message)?.[1];
  if (action === undefined || publishers === undefined) return undefined;
  const names = publishers(action as 'update' | 'delete');
  const who =
    names.length === 0
      ? 'everything is published, without publications declared'
      : names.length === 1
        ? `publication ${names[0]!} publishes ${action}s`
        : `publications ${names.join(', ')} publish ${action}s`;
  return `the table has no replica identity and ${who}`;
}

function placeOf(error: StatementError, { step, rows }: StatementParts): Span {
  const { subject } = error;
  if (subject?.kind === 'column') {
    for (const row of rows ?? []) {
      const entry = row?.find(({ name }) => name.value === subject.name);
      if (entry !== undefined) return error.code === '42703' ? entry.name.at : entry.value.at;
    }
  }
  if (subject?.kind === 'pin') {
    const isPin = subject.name === 'lsn' ? /(^|_)lsn$/ : /^(?:oid|array_oid|xid)$/;
    const pin = Object.entries(step.keys).find(([key]) => isPin.test(key));
    if (pin !== undefined) return pin[1];
  }
  return step.at;
}
