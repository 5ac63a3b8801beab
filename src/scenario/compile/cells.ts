/**
 * A written value as a column of some type holds it. Everything that does not depend on `{{…}}` is worked out once, so
 * that the rounds of a `repeat` only fill in what changes.
 */
import { formatType, printComposite, ValueError, type PgType } from '../../postgres/index.js';
import { OutOfLine, RawText, unchanged, type Datum } from '../../timeline/datum.js';
import type { Template, TemplateScope } from '../template.js';
import { evaluateTemplate } from '../template.js';
import { TemplateError } from '../template-error.js';
import type { Value } from '../format/values.js';
import type { Located, Span } from '../source.js';
import { didYouMean, quote } from '../suggestion.js';
import type { Named } from '../object.js';
import { generateValue } from './generate.js';

/** A value that its column cannot hold. */
export class CellError extends Error {
  constructor(
    readonly code: 'invalid-input' | 'invalid-template' | 'wrong-type' | 'not-supported',
    readonly at: Span,
    message: string,
    readonly hint?: string,
  ) {
    super(message);
    this.name = 'CellError';
  }
}

export interface CellType {
  /** What messages call it: the column's name. */
  readonly name: string;
  readonly type: PgType;
  readonly typeModifier: number;
}

/** @throws CellError */
export function datumOf(value: Value, column: CellType, major: number, scope: TemplateScope): Datum {
  switch (value.kind) {
    case 'unchanged':
      checkStoredOutOfLine(value, column);
      return unchanged;
    case 'raw':
      return new RawText(value.text);
    case 'binary':
      return new RawText(`\\x${hex(value.bytes)}`, value.bytes);
    case 'toasted': {
      const inner = datumOf(value.value, column, major, scope);
      checkStoredOutOfLine(value, column);
      return typeof inner === 'string' ? new OutOfLine(inner) : inner;
    }
    default: {
      const text = textOf(value, column, scope);
      return text === null ? null : input(text, column, major, value);
    }
  }
}

/** @throws CellError for types of a fixed length: only what is stored out of line can be left out when it did not change */
function checkStoredOutOfLine({ at }: Value, column: CellType): void {
  if (column.type.length === -1) return;
  throw new CellError(
    'wrong-type',
    at,
    `${column.name} is of type ${shownType(column)}, which is never stored out of line`,
  );
}

/** The text of a datum; null for NULL and for a value that is not known. */
export function datumText(datum: Datum): string | null {
  if (typeof datum === 'string' || datum === null) return datum;
  return datum === unchanged ? null : datum.text;
}

function input(text: string, { name, type, typeModifier }: CellType, major: number, { at, kind }: Value): string {
  try {
    return type.input(text, typeModifier, major);
  } catch (error) {
    if (!(error instanceof ValueError)) throw error;
    const json = (type.name === 'json' || type.name === 'jsonb') && kind === 'text';
    throw new CellError(
      'invalid-input',
      at,
      `${name}: ${error.message}; a real server refuses this value with ${error.sqlState}`,
      json ? `a JSON string has quotes of its own: '"${text}"'` : undefined,
    );
  }
}

/** Text for the type's input function; null for NULL. */
function textOf(value: Value, column: CellType, scope: TemplateScope): string | null {
  const type = baseType(column.type);
  switch (value.kind) {
    case 'null':
      return null;
    case 'text':
      return value.plain ? plainText(value.text, type) : value.text;
    case 'template':
      return template(value, value.template, scope);
    case 'generate':
      return generateValue(value, column, scope);
    case 'bytes':
      if (type.name !== 'bytea') {
        throw new CellError(
          'wrong-type',
          value.at,
          `!bytes is for columns of type bytea, and ${column.name} is ${shownType(column)}`,
        );
      }
      return `\\x${hex(value.bytes)}`;
    case 'list':
      if (isJson(type)) return jsonText(value, scope);
      if (type.kind === 'array' || type.name === 'int2vector' || type.name === 'oidvector') {
        return arrayText(value.items, column, type, scope);
      }
      throw new CellError(
        'wrong-type',
        value.at,
        `${column.name} is of type ${shownType(column)}, which takes no list`,
      );
    case 'map':
      if (isJson(type)) return jsonText(value, scope);
      if (type.fields !== undefined) return compositeText(value, type, scope);
      throw new CellError('wrong-type', value.at, `${column.name} is of type ${shownType(column)}, which takes no map`);
    default:
      throw new CellError('wrong-type', value.at, 'this tag has no meaning inside a list or map');
  }
}

function shownType({ type, typeModifier }: CellType): string {
  return formatType(type, typeModifier);
}

function baseType(type: PgType): PgType {
  let base = type;
  while (base.kind === 'domain' && base.element !== undefined) base = base.element;
  return base;
}

function isJson(type: PgType): boolean {
  return type.name === 'json' || type.name === 'jsonb';
}

/** YAML writes the special numbers with a dot. */
function plainText(text: string, type: PgType): string {
  if (!/^[-+]?\.(?:inf|nan)$/i.test(text) || !/^(?:float[48]|numeric)$/.test(type.name)) return text;
  return text.toLowerCase().replace(/\.inf/, 'Infinity').replace(/\.nan/, 'NaN').replace('+', '');
}

function template(value: Value, parsed: Template, scope: TemplateScope): string | null {
  try {
    return evaluateTemplate(parsed, scope);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw new CellError('invalid-template', value.at, error.message, error.hint);
  }
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** `{…}`, nested as the lists are; elements always in quotes, which array_in takes for any type. */
function arrayText(items: readonly Value[], column: CellType, array: PgType, scope: TemplateScope): string {
  if (array.kind !== 'array') return items.map((item) => textOf(item, column, scope)).join(' ');
  const element = { ...column, type: array.element! };
  const texts = items.map((item) => {
    if (item.kind === 'list' && !isJson(baseType(element.type))) return arrayText(item.items, column, array, scope);
    const text = textOf(item, element, scope);
    return text === null ? 'NULL' : `"${text.replace(/["\\]/g, '\\$&')}"`;
  });
  return `{${texts.join(array.delimiter)}}`;
}

function compositeText(value: Value & { kind: 'map' }, type: PgType, scope: TemplateScope): string {
  const fields = type.fields!;
  const entries = new Map<string, Value>();
  for (const entry of value.entries) {
    if (!fields.some((field) => field.name === entry.name.value)) throw unknownAttribute(entry.name, type);
    entries.set(entry.name.value, entry.value);
  }
  return printComposite(
    fields.map((field) => {
      const written = entries.get(field.name);
      return written === undefined ? null : textOf(written, field, scope);
    }),
  );
}

function unknownAttribute(name: Located<string>, type: PgType): CellError {
  const known = type.fields!.map((field) => field.name);
  const message = `the type ${type.name} has no attribute ${quote(name.value)}`;
  return new CellError('wrong-type', name.at, message, didYouMean(name.value, known) ?? `it has ${known.join(', ')}`);
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

/** Numbers keep the digits that the author wrote. */
function jsonText(value: Value, scope: TemplateScope): string {
  switch (value.kind) {
    case 'null':
      return 'null';
    case 'text':
      return value.plain && (jsonNumber.test(value.text) || value.text === 'true' || value.text === 'false')
        ? value.text
        : JSON.stringify(value.text);
    case 'template': {
      const text = template(value, value.template, scope);
      if (text === null) return 'null';
      return isNumber(value.template) && jsonNumber.test(text) ? text : JSON.stringify(text);
    }
    case 'list':
      return `[${value.items.map((item) => jsonText(item, scope)).join(', ')}]`;
    case 'map':
      return `{${value.entries.map((entry: Named<Value>) => `${JSON.stringify(entry.name.value)}: ${jsonText(entry.value, scope)}`).join(', ')}}`;
    default:
      throw new CellError('wrong-type', value.at, 'this tag has no meaning inside JSON');
  }
}

/** `'{{index}}'` in JSON is a number, `'{{phone.number}}'` is not. */
function isNumber({ parts: [part, ...others] }: Template): boolean {
  if (part === undefined || others.length > 0) return false;
  return part.kind === 'index' || part.kind === 'xid' || (part.kind === 'faker' && part.call.module === 'number');
}

/** Whether a value is the same in every round of a `repeat`. */
export function isConstant(value: Value): boolean {
  switch (value.kind) {
    case 'template':
    case 'generate':
      return false;
    case 'toasted':
      return isConstant(value.value);
    case 'list':
      return value.items.every(isConstant);
    case 'map':
      return value.entries.every((entry) => isConstant(entry.value));
    default:
      return true;
  }
}
