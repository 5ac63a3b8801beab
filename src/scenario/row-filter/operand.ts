/** Typed parts of a condition, and how two of them become one type. Values are canonical text, or null for NULL. */
import { typeByName, type PgType } from '../../postgres/index.js';

export interface Operand {
  /** Null: a literal in quotes, or NULL, whose type its surroundings decide. */
  readonly type: PgType | null;
  /** Of a literal. */
  readonly constant?: string | null;
  evaluate(row: readonly (string | null)[]): string | null;
}

const families: Readonly<Record<string, readonly string[]>> = {
  number: ['int2', 'int4', 'int8', 'oid', 'numeric', 'float4', 'float8'],
  text: ['text', 'varchar', 'bpchar', 'name'],
  time: ['date', 'timestamp', 'timestamptz'],
};

export function baseType(type: PgType): PgType {
  let base = type;
  while (base.kind === 'domain' && base.element !== undefined) base = base.element;
  return base;
}

export function isNumber(type: PgType): boolean {
  return families['number']!.includes(baseType(type).name);
}

export function isFloat(type: PgType): boolean {
  return baseType(type).name.startsWith('float');
}

export function isInteger(type: PgType): boolean {
  return /^(?:int[248]|oid)$/.test(baseType(type).name);
}

export function isText(type: PgType): boolean {
  return families['text']!.includes(baseType(type).name);
}

export function isBoolean(type: PgType): boolean {
  return baseType(type).name === 'bool';
}

/** The type in which values of both are compared; undefined where SQL has no operator for the two. */
export function commonType(left: PgType, right: PgType): PgType | undefined {
  const [a, b] = [baseType(left), baseType(right)];
  if (a.oid === b.oid) return a;
  if (isNumber(a) && isNumber(b)) return typeByName(isFloat(a) || isFloat(b) ? 'float8' : 'numeric')!;
  for (const family of ['text', 'time'] as const) {
    const names = families[family]!;
    if (!names.includes(a.name) || !names.includes(b.name)) continue;
    return family === 'text' ? typeByName('text')! : names.indexOf(a.name) > names.indexOf(b.name) ? a : b;
  }
  return undefined;
}

/** A value of one type of a family as a value of the other, in time zone UTC. */
export function converted(value: string, from: PgType, to: PgType): string {
  const [a, b] = [baseType(from).name, baseType(to).name];
  if (a === b) return value;
  if (a === 'bpchar') return value.replace(/ +$/, '');
  if (!families['time']!.includes(a) || value.endsWith('infinity')) return value;
  const parts = /^(.*?)( BC)?$/.exec(value)!;
  const time = a === 'date' ? `${parts[1]!} 00:00:00` : parts[1]!;
  return `${time}${b === 'timestamptz' ? '+00' : ''}${parts[2] ?? ''}`;
}
