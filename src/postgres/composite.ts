/** Composite literals and types. */
import { compareNullsLast } from './array.js';
import { concatBytes, int32Bytes, pushSized } from './big-endian.js';
import { definePgType, ValueError, type CompositeField, type PgType } from './pg-type.js';

export interface UserTypeFields {
  readonly oid: number;
  readonly namespace: string;
  readonly name: string;
  /** OID of the array type over it; 0 for none. */
  readonly arrayOid?: number;
}

export function compositeType(type: UserTypeFields, fields: readonly CompositeField[]): PgType {
  const map = (canonical: string, change: (value: string, field: CompositeField) => string): string => {
    return printComposite(parseComposite(canonical, fields.length, (value, i) => change(value, fields[i]!)));
  };
  return definePgType({
    ...type,
    kind: 'composite',
    fields,
    length: -1,
    input: (text, _typeModifier, major) => map(text, (v, { type, typeModifier }) => type.input(v, typeModifier, major)),
    output: fields.some(({ type }) => type.output)
      ? (canonical, settings) => map(canonical, (v, { type }) => type.output?.(v, settings) ?? v)
      : undefined,
    send: (canonical, settings) => {
      const values = parseComposite(canonical, fields.length);
      const bytes = [int32Bytes(fields.length)];
      values.forEach((value, i) => {
        const { type } = fields[i]!;
        if (type.send === undefined) {
          throw new ValueError('42883', `no binary output function available for type ${type.name}`);
        }
        bytes.push(int32Bytes(type.oid));
        pushSized(bytes, value === null ? null : type.send(value, settings));
      });
      return concatBytes(bytes);
    },
    compare: fields.every(({ type }) => type.compare) ? (a, b) => compareComposites(a, b, fields) : undefined,
  });
}

function malformed(text: string): ValueError {
  return new ValueError('22P02', `malformed record literal: "${text}"`);
}

/**
 * @param convert is called for each value as soon as it is read: errors in it come before those in what follows
 * @throws ValueError as record_in does, also when there are not `count` fields
 */
export function parseComposite(
  text: string,
  count: number,
  convert?: (value: string, index: number) => string,
): (string | null)[] {
  const body = /^[ \t\n\v\f\r]*\((.*)$/s.exec(text)?.[1];
  if (body === undefined) throw malformed(text);
  const values: (string | null)[] = [];
  let at = 0;
  for (let i = 0; i < count; i++) {
    if (i > 0 && body[at++] !== ',') throw malformed(text);
    const start = at;
    let value = '';
    let quoted = false;
    for (; ; at++) {
      const character = body[at];
      if (!quoted && (character === ',' || character === ')')) break;
      if (character === undefined) throw malformed(text);
      if (character === '\\') value += body[++at] ?? '';
      else if (character !== '"') value += character;
      else if (quoted && body[at + 1] === '"') value += body[++at]!;
      else quoted = !quoted;
    }
    values.push(at === start ? null : (convert?.(value, i) ?? value));
  }
  // A type without fields is written ().
  if (body[at] !== ')' || !/^[ \t\n\v\f\r]*$/.test(body.slice(at + 1))) throw malformed(text);
  return values;
}

export function printComposite(values: readonly (string | null)[]): string {
  const parts = values.map((value) => {
    if (value === null) return '';
    return value === '' || /["\\(), \t\n\v\f\r]/.test(value) ? `"${value.replace(/["\\]/g, '$&$&')}"` : value;
  });
  return `(${parts.join(',')})`;
}

function compareComposites(a: string, b: string, fields: readonly CompositeField[]): number {
  const [x, y] = [parseComposite(a, fields.length), parseComposite(b, fields.length)];
  for (let i = 0; i < fields.length; i++) {
    const order = compareNullsLast(x[i]!, y[i]!, fields[i]!.type.compare!);
    if (order !== 0) return order;
  }
  return 0;
}
