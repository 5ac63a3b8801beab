/**
 * Replaces the values of a captured stream: equal ones by equal ones within a type, by values of the same type and length
 * that are none of the captured ones. NULLs, unchanged values, booleans and labels of enums stay. The same capture gives
 * the same replacements. In memory are the distinct values of the capture.
 */
import type { Message, OldTuple, Tuple } from '../../pgoutput/messages.js';
import { typeByOid, type PgType } from '../../postgres/index.js';
import { SeenTables, type CapturedMessage, type SeenTable } from '../../timeline/collect.js';
import { hashText } from '../faker.js';
import { Replacement } from './replacement.js';

type RowMessage = Extract<Message, { kind: 'insert' | 'update' | 'delete' }>;

/** What one type's values become. */
class Domain {
  readonly originals = new Set<string>();
  readonly replacements = new Map<string, string>();
  readonly taken = new Set<string>();
}

export class Anonymizer {
  readonly #domains = new Map<string, Domain>();
  readonly #make: Replacement;

  constructor(
    major: number,
    /** Declared types by OID. */
    private readonly types: ReadonlyMap<number, PgType> = new Map(),
  ) {
    this.#make = new Replacement(major);
  }

  /** @returns the same stream with other values; it may be read again and again, as `capture` may */
  replace(capture: Iterable<CapturedMessage>): Iterable<CapturedMessage> {
    for (const { table, message } of rows(capture)) {
      if (table !== undefined) this.#eachTuple(message, (tuple) => this.#meet(table, tuple));
    }
    return { [Symbol.iterator]: () => this.#replaceAll(capture) };
  }

  #meet({ columns }: SeenTable, tuple: Tuple): Tuple {
    columns.forEach((column, i) => {
      const cell = tuple[i];
      if (typeof cell !== 'string') return;
      const type = this.#typeOf(column.typeOid);
      for (const part of this.#make.partsOf(cell, type)) this.#domain(part.domain).originals.add(part.text);
    });
    return tuple;
  }

  *#replaceAll(capture: Iterable<CapturedMessage>): Generator<CapturedMessage> {
    for (const { table, message, captured } of follow(capture)) {
      if (table !== undefined && isRow(message)) {
        yield { ...captured, message: this.#eachTuple(message, (tuple) => this.#tuple(table, tuple)) };
      } else if (message.kind === 'message') {
        yield { ...captured, message: { ...message, content: this.#content(message.content) } };
      } else yield captured;
    }
  }

  #eachTuple(message: RowMessage, replace: (tuple: Tuple) => Tuple): RowMessage {
    const old = (tuple: OldTuple): OldTuple => ({ ...tuple, columns: replace(tuple.columns) });
    switch (message.kind) {
      case 'insert':
        return { ...message, newTuple: replace(message.newTuple) };
      case 'update':
        return {
          ...message,
          oldTuple: message.oldTuple === null ? null : old(message.oldTuple),
          newTuple: replace(message.newTuple),
        };
      case 'delete':
        return { ...message, oldTuple: old(message.oldTuple) };
    }
  }

  #tuple({ columns }: SeenTable, tuple: Tuple): Tuple {
    return columns.map((column, i) => {
      const cell = tuple[i] ?? null;
      if (typeof cell !== 'string') return tuple[i]!;
      const type = this.#typeOf(column.typeOid);
      return this.#make.withParts(cell, type, column.typeModifier, (text, domain, typeModifier) =>
        this.#replacementOf(text, domain, type, typeModifier, column.name),
      );
    });
  }

  #replacementOf(text: string, name: string, type: PgType | undefined, typeModifier: number, column: string): string {
    const domain = this.#domain(name);
    const known = domain.replacements.get(text);
    if (known !== undefined) return known;
    const seed = hashText(`${name}\0${text}`);
    const replacement = this.#make.of(text, name, type, typeModifier, column, seed, (candidate) => {
      return !domain.originals.has(candidate) && !domain.taken.has(candidate);
    });
    domain.replacements.set(text, replacement);
    domain.taken.add(replacement);
    return replacement;
  }

  #content(content: Uint8Array): Uint8Array {
    const seed = hashText(String.fromCharCode(...content.subarray(0, 1000)));
    return this.#make.bytes(content, seed);
  }

  #typeOf(oid: number): PgType | undefined {
    return typeByOid(oid) ?? this.types.get(oid);
  }

  #domain(name: string): Domain {
    let domain = this.#domains.get(name);
    if (domain === undefined) this.#domains.set(name, (domain = new Domain()));
    return domain;
  }
}

interface Followed {
  readonly captured: CapturedMessage;
  readonly message: Message;
  /** Of a row. */
  readonly table: SeenTable | undefined;
}

function* follow(capture: Iterable<CapturedMessage>): Generator<Followed> {
  const seen = new SeenTables();
  let index = 0;
  for (const captured of capture) {
    const { message } = captured;
    seen.follow(message, index++);
    yield { captured, message, table: isRow(message) ? seen.get(message.relationId) : undefined };
  }
}

function* rows(capture: Iterable<CapturedMessage>): Generator<Followed & { readonly message: RowMessage }> {
  for (const followed of follow(capture)) {
    const { message } = followed;
    if (isRow(message)) yield { ...followed, message };
  }
}

function isRow(message: Message): message is RowMessage {
  return message.kind === 'insert' || message.kind === 'update' || message.kind === 'delete';
}
