/** Shapes that are one of several: by the kind of node, or by the key that says what a map is. */
import { Problems } from './diagnostic.js';
import type { JsonSchema } from './json-schema.js';
import { isNull, type Entry, type MapNode, type Node } from './node.js';
import { objectSchema, readFields, type Fields, type ReadOf } from './object.js';
import { pointAt, Reader, untagged, type Shape } from './shape.js';
import type { Span } from './source.js';
import { alternatives, alternativesTo, closest, quote } from './suggestion.js';

/** A scalar has one shape, a list or map another. `empty` is what nothing at all means, where that is allowed. */
export function byKind<S = never, L = never, M = never, E = never>(options: {
  readonly expected: string;
  readonly scalar?: Shape<S>;
  readonly list?: Shape<L>;
  readonly map?: Shape<M>;
  readonly empty?: () => E;
}): Shape<S | L | M | E> {
  const shapes = [options.scalar, options.list, options.map].filter((shape) => shape !== undefined);
  const shape: Shape<S | L | M | E> = {
    expected: options.expected,
    read(node, reader) {
      if (!untagged(node, reader)) return undefined;
      if (isNull(node) && options.empty !== undefined) return options.empty();
      const chosen: Shape<S | L | M> | undefined =
        node.kind === 'broken' || isNull(node) ? undefined : options[node.kind];
      return chosen === undefined ? reader.mismatch(node, shape) : chosen.read(node, reader);
    },
    jsonSchema: () => ({
      anyOf: [...shapes.map((each) => each.jsonSchema()), ...(options.empty === undefined ? [] : [{ type: 'null' }])],
    }),
  };
  return shape;
}

export type Variants = Readonly<Record<string, Fields>>;

/** Each variant's fields, with the key that names it as `kind`. */
export type VariantOf<V extends Variants> = {
  [K in keyof V & string]: ReadOf<V[K]> & { readonly kind: K };
}[keyof V & string];

/** A map that is what one of its keys says: `insert: users` makes it an insert, whose other keys follow. */
export function variants<V extends Variants>(
  options: {
    readonly expected: string;
    /** `step`, `answer`: what messages call one. */
    readonly noun: string;
    readonly check?: (value: VariantOf<V>, reader: Reader) => void;
    /** What takes others as a list, and under which key: it does not stand beside them. */
    readonly around?: { readonly key: keyof V & string; listOf(head: keyof V & string): string };
    /** Keys that are likely to be tried, and what there is for them. */
    readonly meant?: Readonly<Record<string, readonly (keyof V & string)[]>>;
    /** What of `check` a JSON Schema can say. */
    readonly schemas?: { readonly [K in keyof V]?: JsonSchema };
  },
  table: V,
): Shape<VariantOf<V>> {
  const heads = Object.keys(table);
  const shape: Shape<VariantOf<V>> = {
    expected: options.expected,
    read(node, reader) {
      if (!untagged(node, reader)) return undefined;
      if (node.kind !== 'map') return reader.mismatch(node, shape, keyHint(node, heads));
      const chosen = choose(node, reader);
      if (chosen === undefined) return undefined;
      const { head, entries } = chosen;
      const value = readFields({ ...node, entries }, table[head]!, reader, quote(head));
      if (value === undefined) return undefined;
      const variant = { kind: head, ...value } as VariantOf<V>;
      options.check?.(variant, reader);
      return variant;
    },
    jsonSchema: () => ({
      anyOf: heads.map((head) => ({ ...variantSchema(table[head]!, head), ...options.schemas?.[head] })),
    }),
  };

  /** Which variant it is. After a slip of the pen the likeliest one, so that the rest is checked as well. */
  function choose(node: MapNode, reader: Reader): { head: string; entries: readonly Entry[] } | undefined {
    const { around } = options;
    const heading = node.entries.filter((entry) => Object.hasOwn(table, entry.key));
    const first = heading.find((entry) => entry.key !== around?.key) ?? heading[0];
    if (first === undefined) return guess(node, reader);
    // What names another variant may also be a field of this one.
    const rivals = heading.filter((entry) => entry !== first && !Object.hasOwn(table[first.key]!, entry.key));
    for (const rival of rivals) {
      const message = `this ${options.noun} is ${quote(first.key)} and ${quote(rival.key)} at once`;
      const { key, value } = rival;
      const hint =
        around?.key === key && value.kind === 'scalar'
          ? `write \`- ${key}: ${value.text}\` with \`${around.listOf(first.key)}:\`, and \`- ${first.key}: …\` in it`
          : 'begin each with a dash of its own';
      reader.report('unknown-step', rival.keyAt, message, {
        hint,
        related: [{ at: first.keyAt, message: 'it began here' }],
      });
    }
    return { head: first.key, entries: node.entries.filter((entry) => !rivals.includes(entry)) };
  }

  function guess(node: MapNode, reader: Reader): { head: string; entries: readonly Entry[] } | undefined {
    for (const entry of node.entries) {
      const head = closest(entry.key, heads);
      if (head === undefined) continue;
      const message = `there is no ${options.noun} ${quote(entry.key)}`;
      reader.report('unknown-step', entry.keyAt, message, { hint: `did you mean ${quote(head)}?` });
      const meant = { ...entry, key: head };
      // What does not fit it either was hardly meant to be it.
      const trial = new Reader(reader.source, new Problems());
      if (table[head]![head]!.shape.read(entry.value, trial) === undefined) return undefined;
      return { head, entries: node.entries.map((other) => (other === entry ? meant : other)) };
    }
    const hint = meantOf(node) ?? `one of its keys must be ${alternativesTo(node.entries[0]?.key ?? '', heads)}`;
    reader.report('unknown-step', pointAt(node), `this ${options.noun} does not say what it is`, { hint });
    return undefined;
  }

  /** By a key that is known to be tried, or because all of its keys go with few variants. */
  function meantOf({ entries }: MapNode): string | undefined {
    for (const { key } of entries) {
      if (Object.hasOwn(options.meant ?? {}, key)) return `did you mean ${alternatives(options.meant![key]!)}?`;
    }
    const fitting = heads.filter((head) => entries.every(({ key }) => Object.hasOwn(table[head]!, key)));
    if (fitting.length === 0 || fitting.length > 5) return undefined;
    return `such keys go with ${alternatives(fitting)}`;
  }

  return shape;
}

function keyHint(node: Node, heads: readonly string[]): string | undefined {
  return node.kind === 'scalar' && heads.includes(node.text) ? `write \`${node.text}: …\`` : undefined;
}

function variantSchema(fields: Fields, head: string): JsonSchema {
  const schema = objectSchema(fields);
  // The title is what editors offer.
  return { title: head, ...schema, required: [...new Set([head, ...(schema.required ?? [])])] };
}

/** Reports all keys but the first of `keys` that are there, as they exclude each other. */
export function exclusive(
  value: { readonly keys: Readonly<Record<string, Span>> },
  keys: readonly string[],
  reader: Reader,
): void {
  const present = keys.filter((key) => value.keys[key] !== undefined);
  const [first, second] = present;
  if (first === undefined || second === undefined) return;
  reader.report('conflicting-keys', value.keys[second]!, `${quote(second)} and ${quote(first)} exclude each other`, {
    related: [{ at: value.keys[first]!, message: `${quote(first)} stands here` }],
  });
}

export interface NamedShape<T> extends Shape<T> {
  /** Its name among the schema's definitions. */
  readonly definition: string;
  define(): JsonSchema;
}

/** A shape that is named in the JSON Schema, so that it can contain itself. */
export function named<T>(name: string, make: () => Shape<T>, expected: string): NamedShape<T> {
  let made: Shape<T> | undefined;
  const shape = (): Shape<T> => (made ??= make());
  return {
    definition: name,
    expected,
    read: (node, reader) => shape().read(node, reader),
    jsonSchema: () => ({ $ref: `#/definitions/${name}` }),
    define: () => shape().jsonSchema(),
  };
}
