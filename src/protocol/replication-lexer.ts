/**
 * Tokens of the walsender's own little grammar. Keywords are upper case only, and which ones there are depends on the major.
 * Unlike SQL it has no comments, no escape strings and no operators.
 */
import { WireError } from '../values/wire-error.js';
import { foldIdentifier, truncateIdentifier } from './identifier.js';

export type Token =
  | { readonly kind: 'keyword'; readonly text: string }
  /** Folded or quoted, cut to 63 bytes. */
  | { readonly kind: 'identifier'; readonly text: string }
  | { readonly kind: 'string'; readonly text: string }
  /** Unsigned 32-bit; larger numbers wrap around. */
  | { readonly kind: 'integer'; readonly value: number }
  | { readonly kind: 'lsn'; readonly value: bigint }
  | { readonly kind: 'character'; readonly text: string }
  | { readonly kind: 'end' };

const commonKeywords = [
  'BASE_BACKUP',
  'IDENTIFY_SYSTEM',
  'SHOW',
  'TIMELINE',
  'START_REPLICATION',
  'CREATE_REPLICATION_SLOT',
  'DROP_REPLICATION_SLOT',
  'TIMELINE_HISTORY',
  'PHYSICAL',
  'RESERVE_WAL',
  'LOGICAL',
  'SLOT',
  'TEMPORARY',
  'EXPORT_SNAPSHOT',
  'NOEXPORT_SNAPSHOT',
  'USE_SNAPSHOT',
];

const keywordsOfMajors: readonly {
  readonly from: number;
  readonly to: number;
  readonly keywords: readonly string[];
}[] = [
  // BASE_BACKUP's options were keywords until they moved into parentheses.
  { from: 10, to: 14, keywords: ['FAST', 'LABEL', 'NOWAIT', 'PROGRESS', 'MAX_RATE', 'WAL', 'TABLESPACE_MAP'] },
  { from: 11, to: 14, keywords: ['NOVERIFY_CHECKSUMS'] },
  { from: 13, to: 14, keywords: ['MANIFEST', 'MANIFEST_CHECKSUMS'] },
  { from: 10, to: 20, keywords: ['WAIT'] },
  { from: 15, to: 20, keywords: ['READ_REPLICATION_SLOT', 'TWO_PHASE'] },
  { from: 17, to: 20, keywords: ['ALTER_REPLICATION_SLOT', 'UPLOAD_MANIFEST'] },
];

function keywordsOf(major: number): ReadonlySet<string> {
  const additions = keywordsOfMajors.filter(({ from, to }) => from <= major && major <= to);
  return new Set([...commonKeywords, ...additions.flatMap(({ keywords }) => keywords)]);
}

const keywordSets = new Map<number, ReadonlySet<string>>();

const blank = /[ \t\n\r\f]*/y;
const blankFrom17 = /[ \t\n\r\f\v]*/y;
const lsnPattern = /[0-9A-Fa-f]+\/[0-9A-Fa-f]+/y;
const integerPattern = /[0-9]+/y;
const identifierPattern = /[A-Za-z\u0080-\u{10ffff}_][A-Za-z\u0080-\u{10ffff}_0-9$]*/uy;

export class ReplicationLexer {
  readonly #keywords: ReadonlySet<string>;
  readonly #blank: RegExp;
  #position = 0;
  /** NOTICEs about names that were cut. */
  readonly notices: WireError[] = [];

  constructor(
    readonly text: string,
    major: number,
  ) {
    let keywords = keywordSets.get(major);
    if (!keywords) keywordSets.set(major, (keywords = keywordsOf(major)));
    this.#keywords = keywords;
    this.#blank = major >= 17 ? blankFrom17 : blank;
  }

  /** @throws WireError 42601 for a quote that is not closed. */
  next(): Token {
    this.#match(this.#blank);
    if (this.#position >= this.text.length) return { kind: 'end' };

    const character = this.text[this.#position]!;
    if (character === '"') return { kind: 'identifier', text: this.#truncate(this.#quotedIdentifier()) };
    if (character === "'") return { kind: 'string', text: this.#string() };

    const lsn = this.#match(lsnPattern);
    if (lsn) return { kind: 'lsn', value: lsnOf(lsn[0]) };
    const integer = this.#match(integerPattern);
    if (integer) return { kind: 'integer', value: Number(BigInt(integer[0]) & 0xffff_ffffn) };
    const identifier = this.#match(identifierPattern)?.[0];
    if (identifier !== undefined) {
      if (this.#keywords.has(identifier)) return { kind: 'keyword', text: identifier };
      return { kind: 'identifier', text: this.#truncate(foldIdentifier(identifier)) };
    }
    this.#position++;
    return { kind: 'character', text: character };
  }

  /** Unlike SQL's, it ends at the next quote: a doubled one begins another. */
  #quotedIdentifier(): string {
    return this.#takeQuoted(this.text.indexOf('"', this.#position + 1));
  }

  #string(): string {
    let end = this.text.indexOf("'", this.#position + 1);
    while (end >= 0 && this.text[end + 1] === "'") end = this.text.indexOf("'", end + 2);
    return this.#takeQuoted(end).replaceAll("''", "'");
  }

  #takeQuoted(end: number): string {
    if (end < 0) throw new WireError({ code: '42601', message: 'unterminated quoted string' });
    const text = this.text.slice(this.#position + 1, end);
    this.#position = end + 1;
    return text;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#position;
    const match = pattern.exec(this.text);
    if (match) this.#position = pattern.lastIndex;
    return match;
  }

  #truncate(name: string): string {
    const kept = truncateIdentifier(name);
    if (kept.length < name.length) {
      const message = `identifier "${name}" will be truncated to "${kept}"`;
      this.notices.push(new WireError({ severity: 'NOTICE', code: '42622', message }));
    }
    return kept;
  }
}

/** Each half keeps its low 32 bits, as the server's scan of `%X/%X` does. */
function lsnOf(text: string): bigint {
  const [high, low] = text.split('/');
  return (BigInt.asUintN(32, BigInt(`0x${high!}`)) << 32n) | BigInt.asUintN(32, BigInt(`0x${low!}`));
}
