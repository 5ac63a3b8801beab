/** PostgreSQL's own parser (libpg-query, WebAssembly): loaded when first needed, and what it gave for recent texts. */
import type { Node, ParseResult, RawStmt, SelectStmt } from 'libpg-query';
import { WireError } from '../values/wire-error.js';
import { loadParserAtOnce } from './lazy.cjs';

type Parser = typeof import('libpg-query');

let parser: Parser | undefined;
let loading: Promise<void> | undefined;

export function loadParser(): Promise<void> {
  loading ??= import('libpg-query').then(async (module) => {
    await module.loadModule();
    parser = module;
  });
  return loading;
}

/** For callers that cannot wait. Holds the thread for about 50 ms, the first time. */
export function requireParser(): void {
  parser ??= loadParserAtOnce();
}

/** One statement of a text. */
export interface ParsedStatement {
  readonly node: Node;
  /** The statement alone. */
  readonly text: string;
  /** Where it begins in the whole text (or the comment before it does), in bytes of UTF-8. */
  readonly location: number;
}

const maxRemembered = 500;
const maxRememberedLength = 20_000;
const remembered = new Map<string, readonly ParsedStatement[]>();

/** @throws WireError 42601 with the server's message and position. Only after `loadParser` or `requireParser`. */
export function parseStatements(text: string): readonly ParsedStatement[] {
  const known = remembered.get(text);
  if (known !== undefined) return known;
  const statements = statementsOf(text);
  if (text.length <= maxRememberedLength) {
    // The oldest goes first.
    if (remembered.size >= maxRemembered) remembered.delete(remembered.keys().next().value!);
    remembered.set(text, statements);
  }
  return statements;
}

function statementsOf(text: string): readonly ParsedStatement[] {
  if (/^\s*$/.test(text)) return [];
  const { stmts = [] } = parse(text);
  const bytes = stmts.length > 1 ? new TextEncoder().encode(text) : undefined;
  return stmts.map((statement) => ({
    node: statement.stmt!,
    text: textOf(statement, text, bytes),
    location: statement.stmt_location ?? 0,
  }));
}

function textOf({ stmt_location = 0, stmt_len }: RawStmt, text: string, bytes: Uint8Array | undefined): string {
  if (bytes === undefined) return text.trim().replace(/;$/, '');
  const end = stmt_len === undefined ? undefined : stmt_location + stmt_len;
  return new TextDecoder().decode(bytes.subarray(stmt_location, end)).trim();
}

function parse(text: string): ParseResult {
  if (parser === undefined) throw new Error('the SQL parser is not loaded');
  try {
    return parser.parseSync(text);
  } catch (error) {
    if (!parser.hasSqlDetails(error)) throw error;
    const { message, cursorPosition } = error.sqlDetails!;
    throw new WireError({ code: codeOf(message), message, position: cursorPosition + 1 });
  }
}

function codeOf(message: string): string {
  if (/^zero-length delimited identifier/.test(message)) return '42601';
  return /escape|Unicode|surrogate/i.test(message) && !message.startsWith('syntax error') ? '22025' : '42601';
}

/** An expression alone, as in a row filter. @throws WireError 42601 */
export function parseExpression(text: string): Node {
  const [statement] = statementsOf(`SELECT ${text}`);
  const select = (statement!.node as { SelectStmt: SelectStmt }).SelectStmt;
  const target = select.targetList![0] as Extract<Node, { ResTarget: unknown }>;
  return target.ResTarget.val!;
}
