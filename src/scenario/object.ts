/** Shapes of maps and lists. */
import type { SourcePosition } from '../timeline/timeline.js';
import type { JsonSchema } from './json-schema.js';
import type { Entry, MapNode, Node } from './node.js';
import { pointAt, untagged, type Reader, type Shape } from './shape.js';
import { sourcePosition, type Located, type Span } from './source.js';
import { alternatives, alternativesTo, closest, quote } from './suggestion.js';

export interface Field<T, R extends boolean = boolean> {
  readonly shape: Shape<T>;
  readonly required: R;
  /** For hover texts and the reference. */
  readonly about: string;
  readonly examples: readonly unknown[];
}

/** Keys as they stand in YAML, snake_case. */
export type Fields = Readonly<Record<string, Field<unknown>>>;

export function required<T>(shape: Shape<T>, about: string, ...examples: readonly unknown[]): Field<T, true> {
  return { shape, required: true, about, examples };
}

export function optional<T>(shape: Shape<T>, about: string, ...examples: readonly unknown[]): Field<T, false> {
  return { shape, required: false, about, examples };
}

type CamelCase<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : S;

/** What every map is read into, besides its fields: where it stands. */
export interface Read {
  /** What messages about it underline. */
  readonly at: Span;
  /** All of it. */
  readonly whole: Span;
  /** Where its keys stand, by their names in YAML. */
  readonly keys: Readonly<Record<string, Span>>;
  /** `at`, for the timeline. */
  readonly source: SourcePosition;
}

/** Fields become properties in camelCase; those left out are undefined. */
export type ReadOf<F extends Fields> = Read & {
  readonly [K in keyof F & string as CamelCase<K>]: F[K] extends Field<infer T, true>
    ? T
    : F[K] extends Field<infer T>
      ? T | undefined
      : never;
};

export interface ObjectOptions<T> {
  /** For "takes …": `a map of server settings`. */
  readonly expected: string;
  /** Reports what does not hold between fields. */
  readonly check?: (value: T, reader: Reader) => void;
  /** What of `check` a JSON Schema can say. */
  readonly schema?: JsonSchema;
}

export function object<F extends Fields>(fields: F, options: ObjectOptions<ReadOf<F>>): Shape<ReadOf<F>> {
  const shape: Shape<ReadOf<F>> = {
    expected: options.expected,
    read(node, reader) {
      if (!untagged(node, reader)) return undefined;
      if (node.kind !== 'map') return reader.mismatch(node, shape);
      const value = readFields(node, fields, reader);
      if (value !== undefined) options.check?.(value, reader);
      return value;
    },
    jsonSchema: () => ({ ...objectSchema(fields), ...options.schema }),
  };
  return shape;
}

/**
 * Undefined when a required field is missing or unusable.
 * @param subject - what messages call the map
 */
export function readFields<F extends Fields>(
  node: MapNode,
  fields: F,
  reader: Reader,
  subject = reader.path.length === 0 ? 'the file' : reader.subject(),
): ReadOf<F> | undefined {
  const keys: Record<string, Span> = {};
  const at = pointAt(node);
  const value: Record<string, unknown> = { at, whole: node.at, keys, source: sourcePosition(at) };
  for (const key of Object.keys(fields)) value[camelCase(key)] = undefined;
  for (const entry of node.entries) {
    const key = Object.hasOwn(fields, entry.key) ? entry.key : meantKey(entry, node, fields, subject, reader);
    if (key === undefined) continue;
    keys[key] = entry.keyAt;
    value[camelCase(key)] = reader.part(key, fields[key]!.shape, entry.value);
  }
  let usable = true;
  const missing: string[] = [];
  for (const [key, field] of Object.entries(fields)) {
    if (!field.required || value[camelCase(key)] !== undefined) continue;
    usable = false;
    if (keys[key] === undefined) missing.push(key);
  }
  if (missing.length > 0) {
    reader.report('missing-key', pointAt(node), `${subject} needs ${alternatives(missing, 'and')}`);
  }
  return usable ? (value as ReadOf<F>) : undefined;
}

/** Reports an unknown key. Returns the one that was likely meant, so that its value is checked as well. */
function meantKey(entry: Entry, node: MapNode, fields: Fields, subject: string, reader: Reader): string | undefined {
  const known = Object.keys(fields);
  const inside = reader.path.length === 0 ? 'at the top of a scenario' : `in ${subject}`;
  const meant = closest(entry.key, known);
  const hint =
    meant === undefined ? `the keys are ${alternativesTo(entry.key, known, 'and')}` : `did you mean ${quote(meant)}?`;
  reader.report('unknown-key', entry.keyAt, `there is no key ${quote(entry.key)} ${inside}`, { hint });
  return node.entries.some((other) => other.key === meant) ? undefined : meant;
}

export function objectSchema(fields: Fields): JsonSchema {
  const requiredKeys = Object.keys(fields).filter((key) => fields[key]!.required);
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, fieldSchema(field)])),
    ...(requiredKeys.length > 0 && { required: requiredKeys }),
    additionalProperties: false,
  };
}

function fieldSchema(field: Field<unknown>): JsonSchema {
  const schema = field.shape.jsonSchema();
  return {
    // Draft 7 ignores what stands beside a $ref.
    ...(schema.$ref === undefined ? schema : { allOf: [schema] }),
    description: field.about,
    ...(field.examples.length > 0 && { examples: field.examples }),
  };
}

const camelNames = new Map<string, string>();

function camelCase(key: string): string {
  let camel = camelNames.get(key);
  if (camel === undefined) {
    camel = key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    camelNames.set(key, camel);
  }
  return camel;
}

/** One entry of a map whose keys the author chooses. */
export interface Named<T> {
  readonly name: Located<string>;
  readonly value: T;
}

/** A map from names to one kind of thing, in the author's order. */
export function mapOf<T>(value: Shape<T>, expected: string): Shape<readonly Named<T>[]> {
  const shape: Shape<readonly Named<T>[]> = {
    expected,
    read(node, reader) {
      if (!untagged(node, reader)) return undefined;
      if (node.kind !== 'map') return reader.mismatch(node, shape);
      const entries: Named<T>[] = [];
      for (const entry of node.entries) {
        const read = reader.part(entry.key, value, entry.value);
        if (read === undefined) reader.lose({ ...entry.keyAt, end: entry.value.at.end });
        else entries.push({ name: { value: entry.key, at: entry.keyAt }, value: read });
      }
      return entries;
    },
    jsonSchema: () => ({ type: 'object', additionalProperties: value.jsonSchema() }),
  };
  return shape;
}

export function list<T>(item: Shape<T>, expected: string): Shape<readonly T[]> {
  const shape: Shape<readonly T[]> = {
    expected,
    read(node, reader) {
      if (!untagged(node, reader)) return undefined;
      return node.kind === 'list' ? readItems(node.items, item, reader) : reader.mismatch(node, shape);
    },
    jsonSchema: () => ({ type: 'array', items: item.jsonSchema() }),
  };
  return shape;
}

/** One item, or a list of them. */
export function oneOrMany<T>(item: Shape<T>, expected: string): Shape<readonly T[]> {
  return {
    expected,
    read(node, reader) {
      if (!untagged(node, reader)) return undefined;
      if (node.kind === 'list') return readItems(node.items, item, reader);
      const value = item.read(node, reader);
      return value === undefined ? undefined : [value];
    },
    jsonSchema: () => ({ anyOf: [item.jsonSchema(), { type: 'array', items: item.jsonSchema() }] }),
  };
}

function readItems<T>(items: readonly Node[], shape: Shape<T>, reader: Reader): T[] {
  const values: T[] = [];
  items.forEach((item, i) => {
    const value = reader.part(i, shape, item);
    if (value === undefined) reader.lose(item.at);
    else values.push(value);
  });
  return values;
}
