/**
 * SQL type names: `varchar(20)`, `timestamp(3) with time zone`, `app.mood[]`, `bigserial`. What the grammar of types
 * (manual chapter "Data Types") and the typmod input functions accept.
 */
import { typeByName, typeByOid } from './builtin-types.js';
import type { PgType } from './pg-type.js';
import { typeAliases } from './sql-type-name.js';
import { TypeNameError } from './type-name-error.js';
import { intervalModifier, lengthModifier, numericTypeModifier, precisionModifier } from './type-modifier.js';

export interface TypeName {
  /** For `text[]`, the array type. */
  readonly type: PgType;
  /** atttypmod; -1 for none. Of an array: its elements'. */
  readonly typeModifier: number;
  /** serial, bigserial, smallserial: NOT NULL, and the default comes from a sequence. */
  readonly serial: boolean;
}

/** Where user-defined types are looked up. */
export interface TypeScope {
  /** @param namespace undefined for a name without one */
  find(namespace: string | undefined, name: string): PgType | undefined;
  /** The array type over a user-defined type. */
  arrayOf(element: PgType): PgType | undefined;
  /** Names to tell of when one is not found. */
  names(): Iterable<string>;
}

const serials = new Map([
  ['serial', 'int4'],
  ['serial4', 'int4'],
  ['bigserial', 'int8'],
  ['serial8', 'int8'],
  ['smallserial', 'int2'],
  ['serial2', 'int2'],
]);
/** Words that may follow others in a name. */
const continuations = new Set(['precision', 'varying', 'character', 'char']);

const token = /\s*(?:"((?:[^"]|"")+)"|([\p{L}_][\p{L}\p{N}_$]*)|([+-]?[0-9]+)|([().,[\]]))/uy;

interface Token {
  readonly text: string;
  readonly kind: 'quoted' | 'word' | 'number' | 'symbol';
}

/** @throws TypeNameError */
export function parseTypeName(text: string, major: number, scope?: TypeScope): TypeName {
  return new TypeNameParser(text, major, scope).parse();
}

class TypeNameParser {
  private readonly tokens: Token[];
  private at = 0;

  constructor(
    private readonly text: string,
    private readonly major: number,
    private readonly scope: TypeScope | undefined,
  ) {
    this.tokens = tokenize(text);
  }

  parse(): TypeName {
    const name = this.name();
    let isArray = false;
    if (this.takeWord('array')) {
      isArray = true;
      if (this.takeSymbol('[')) this.bracketEnd();
    }
    while (!isArray || this.peek()?.text === '[') {
      if (!this.takeSymbol('[')) break;
      this.bracketEnd();
      isArray = true;
    }
    if (this.at < this.tokens.length) throw this.syntaxError();
    if (!isArray) return name;
    if (name.serial) throw new TypeNameError('0A000', 'array of serial is not implemented');
    return { ...name, type: this.arrayType(name.type) };
  }

  private bracketEnd(): void {
    if (this.peek()?.kind === 'number') this.at++;
    if (!this.takeSymbol(']')) throw this.syntaxError();
  }

  private arrayType(element: PgType): PgType {
    const type = typeByOid(element.arrayOid) ?? this.scope?.arrayOf(element);
    if (type === undefined) {
      throw new TypeNameError('42704', `could not find array type for data type ${element.name}`);
    }
    return type;
  }

  private name(): TypeName {
    const first = this.tokens[this.at++];
    if (first === undefined || (first.kind !== 'word' && first.kind !== 'quoted')) throw this.syntaxError(-1);
    if (this.takeSymbol('.')) {
      const second = this.tokens[this.at++];
      if (second === undefined || (second.kind !== 'word' && second.kind !== 'quoted')) throw this.syntaxError(-1);
      return this.plain(this.find(first.text, second.text));
    }
    return first.kind === 'quoted' ? this.plain(this.find(undefined, first.text)) : this.words(first.text);
  }

  /** A name of one unquoted word or several. */
  private words(first: string): TypeName {
    let words = first;
    while (this.peek()?.kind === 'word' && continuations.has(this.peek()!.text))
      words += ` ${this.tokens[this.at++]!.text}`;
    const serial = serials.get(words);
    if (serial !== undefined) return { type: typeByName(serial)!, typeModifier: -1, serial: true };
    if (words === 'float') return this.float();
    if (words === 'time' || words === 'timestamp') return this.dateTime(words);
    if (words === 'interval') return this.interval();
    const builtin = typeAliases.get(words);
    if (builtin === undefined) {
      if (words !== first) throw this.syntaxError(-1);
      return this.plain(this.find(undefined, words));
    }
    // character and bit without a length have length 1; bpchar, which is no word of the grammar, has none.
    return this.plain(typeByName(builtin)!, builtin === 'bpchar' || builtin === 'bit' ? '1' : undefined);
  }

  private plain(type: PgType, missing?: string): TypeName {
    const given = this.modifiers();
    const values = given ?? (missing === undefined ? undefined : [missing]);
    return { type, typeModifier: values === undefined ? -1 : this.typeModifier(type, values), serial: false };
  }

  /** `(10, 2)` → ['10', '2'] */
  private modifiers(): string[] | undefined {
    if (!this.takeSymbol('(')) return undefined;
    const values: string[] = [];
    do {
      const value = this.tokens[this.at++];
      if (value?.kind !== 'number') throw this.syntaxError(-1);
      values.push(value.text);
    } while (this.takeSymbol(','));
    if (!this.takeSymbol(')')) throw this.syntaxError();
    return values;
  }

  private typeModifier(type: PgType, values: readonly string[]): number {
    const numbers = values.map(Number);
    switch (type.name) {
      case 'numeric':
        return numericTypeModifier(numbers, this.major);
      case 'varchar':
      case 'bpchar':
      case 'bit':
      case 'varbit':
        return lengthModifier(type.name, numbers);
      case 'time':
      case 'timetz':
      case 'timestamp':
      case 'timestamptz':
        return precisionModifier(numbers);
      case 'interval':
        return intervalModifier([], numbers);
      default:
        throw new TypeNameError('42601', `type modifier is not allowed for type "${type.name}"`);
    }
  }

  private float(): TypeName {
    const bits = this.modifiers()?.[0];
    if (bits !== undefined && Number(bits) < 1) {
      throw new TypeNameError('22023', 'precision for type float must be at least 1 bit');
    }
    if (bits !== undefined && Number(bits) > 53) {
      throw new TypeNameError('22023', 'precision for type float must be less than 54 bits');
    }
    const name = bits !== undefined && Number(bits) <= 24 ? 'float4' : 'float8';
    return { type: typeByName(name)!, typeModifier: -1, serial: false };
  }

  private dateTime(name: 'time' | 'timestamp'): TypeName {
    const precision = this.modifiers();
    const withZone = this.takeWord('with');
    if (withZone || this.takeWord('without')) {
      if (!this.takeWord('time') || !this.takeWord('zone')) throw this.syntaxError();
    }
    const zoned = name === 'time' ? 'timetz' : 'timestamptz';
    const type = typeByName(withZone ? zoned : name)!;
    return {
      type,
      typeModifier: precision === undefined ? -1 : precisionModifier(precision.map(Number)),
      serial: false,
    };
  }

  private interval(): TypeName {
    const fields: string[] = [];
    while (this.peek()?.kind === 'word' && this.peek()!.text !== 'array') fields.push(this.tokens[this.at++]!.text);
    const precision = this.modifiers();
    const type = typeByName('interval')!;
    if (fields.length === 0 && precision === undefined) return { type, typeModifier: -1, serial: false };
    return { type, typeModifier: intervalModifier(fields, precision?.map(Number) ?? []), serial: false };
  }

  private find(namespace: string | undefined, name: string): PgType {
    const builtin = namespace === undefined || namespace === 'pg_catalog' ? typeByName(name) : undefined;
    const type = builtin !== undefined && builtin.since <= this.major ? builtin : this.scope?.find(namespace, name);
    if (type !== undefined) return type;
    const shown = namespace === undefined ? name : `${namespace}.${name}`;
    const known = [...typeAliases.keys(), ...serials.keys(), ...usualNames, ...(this.scope?.names() ?? [])];
    throw new TypeNameError('42704', `type "${shown}" does not exist`, shown, known);
  }

  private peek(): Token | undefined {
    return this.tokens[this.at];
  }

  private takeSymbol(symbol: string): boolean {
    const found = this.peek()?.kind === 'symbol' && this.peek()!.text === symbol;
    if (found) this.at++;
    return found;
  }

  private takeWord(word: string): boolean {
    const found = this.peek()?.kind === 'word' && this.peek()!.text === word;
    if (found) this.at++;
    return found;
  }

  /** @param offset of the offending token from where reading stands */
  private syntaxError(offset = 0): TypeNameError {
    const found = this.tokens[this.at + offset];
    const where = found === undefined ? 'at end of input' : `at or near "${found.text}"`;
    return new TypeNameError('42601', `syntax error ${where} in type name "${this.text}"`);
  }
}

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  token.lastIndex = 0;
  const end = text.trimEnd().length;
  while (token.lastIndex < end) {
    const start = token.lastIndex;
    const match = token.exec(text);
    if (match === null) {
      throw new TypeNameError('42601', `syntax error at or near "${text.slice(start).trim()}" in type name "${text}"`);
    }
    const [, quoted, word, number, symbol] = match;
    if (quoted !== undefined) tokens.push({ kind: 'quoted', text: quoted.replaceAll('""', '"') });
    else if (word !== undefined) tokens.push({ kind: 'word', text: word.toLowerCase() });
    else if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else tokens.push({ kind: 'symbol', text: symbol! });
  }
  return tokens;
}

/** What people write that is no alias. */
const usualNames = [
  ...[
    'int2',
    'int4',
    'int8',
    'float4',
    'float8',
    'numeric',
    'money',
    'bool',
    'text',
    'varchar',
    'bpchar',
    'bytea',
    'bit',
  ],
  ...['uuid', 'date', 'time', 'timetz', 'timestamp', 'timestamptz', 'interval', 'json', 'jsonb', 'xml', 'inet', 'cidr'],
  ...[
    'macaddr',
    'point',
    'line',
    'lseg',
    'box',
    'path',
    'polygon',
    'circle',
    'tsvector',
    'tsquery',
    'int4range',
    'oid',
  ],
  ...['int8range', 'numrange', 'tsrange', 'tstzrange', 'daterange', 'float', 'name', 'pg_lsn', 'regclass', 'interval'],
];
