/** Functions on arrays (manual chapter "Array Functions and Operators"). */
import { printArray, type ArrayParts } from '../../postgres/index.js';
import { equalityOf } from '../expression/comparison.js';
import type { Value } from '../expression/expression.js';
import { NotEmulated } from '../failure.js';
import { arrayParts, printElements, printParts } from '../types/array-values.js';
import { outputText } from '../types/output.js';
import { functions, functionsOnNull, setFunctions, type Call, type ScalarBody } from './definition.js';

function partsOf({ context, argumentTypes }: Call, array: string, argument = 0): ArrayParts {
  return arrayParts(context.types, argumentTypes[argument]!, array);
}

function dimension(call: Call, array: string, number: string): { length: number; lower: number } | null {
  const { lengths, lowerBounds } = partsOf(call, array);
  const at = Number(number) - 1;
  return lengths[at] === undefined || lengths[at] === 0 ? null : { length: lengths[at], lower: lowerBounds[at]! };
}

function joined(call: Call, array: string, separator: string, nullText: Value): string {
  const element = call.context.types.elementOf(call.argumentTypes[0]!);
  const texts = partsOf(call, array).elements.map((e) =>
    e === null ? nullText : outputText(call.context, element, e),
  );
  return texts.filter((text) => text !== null).join(separator);
}

function split(text: string, separator: Value, nullText: Value): string {
  const parts =
    text === '' ? [] : separator === null ? Array.from(text) : separator === '' ? [text] : text.split(separator);
  const elements = parts.map((part) => (part === nullText ? null : part));
  return printArray({ lengths: [elements.length], lowerBounds: [1], elements }, ',');
}

function changed(call: Call, array: Value, argument: number, change: (elements: Value[]) => void): string {
  const elements = array === null ? [] : [...partsOf(call, array, argument).elements];
  change(elements);
  return printElements(call.context.types, call.resultType, elements);
}

function isEqual({ context, argumentTypes }: Call): (a: Value, b: Value) => boolean {
  const equal = equalityOf(context.types, context.types.elementOf(argumentTypes[0]!));
  return (a, b) => (a === null || b === null ? a === b : equal(a, b));
}

/** From 14 on these take arrays and elements that have a common type; before, they had to be of one. */
function ofAnyFamily(bodies: Readonly<Record<string, ScalarBody>>): Record<string, ScalarBody> {
  return Object.fromEntries(
    Object.entries(bodies).flatMap(([signature, body]) => [
      [`[-13]${signature}`, body],
      [
        `[14-]${signature.replace(/any(array|element)/g, (_, kind) => `anycompatible${kind === 'array' ? 'array' : ''}`)}`,
        body,
      ],
    ]),
  );
}

export const arrayFunctions = [
  functions({
    'array_length(anyarray, int4) int4': (call, array, number) =>
      dimension(call, array, number)?.length.toString() ?? null,
    'array_lower(anyarray, int4) int4': (call, array, number) =>
      dimension(call, array, number)?.lower.toString() ?? null,
    'array_upper(anyarray, int4) int4': (call, array, number) => {
      const found = dimension(call, array, number);
      return found && String(found.lower + found.length - 1);
    },
    'array_ndims(anyarray) int4': (call, array) => {
      const { elements, lengths } = partsOf(call, array);
      return elements.length === 0 ? null : String(lengths.length);
    },
    'array_dims(anyarray) text': (call, array) => {
      const { elements, lengths, lowerBounds } = partsOf(call, array);
      if (elements.length === 0) return null;
      return lengths.map((length, i) => `[${lowerBounds[i]!}:${lowerBounds[i]! + length - 1}]`).join('');
    },
    'cardinality(anyarray) int4': (call, array) => String(partsOf(call, array).elements.length),
    'array_to_string(anyarray, text) text': (call, array, separator) => joined(call, array, separator, null),
  }),
  functionsOnNull({
    'array_to_string(anyarray, text, text) text': (call, array, separator, nullText) =>
      array === null || separator === null ? null : joined(call, array, separator, nullText),
    'string_to_array(text, text) _text': (_, text, separator) => (text === null ? null : split(text, separator, null)),
    'string_to_array(text, text, text) _text': (_, text, separator, nullText) =>
      text === null ? null : split(text, separator, nullText),
  }),
  functionsOnNull(
    ofAnyFamily({
      'array_append(anyarray, anyelement) anyarray': (call, array, element) =>
        changed(call, array, 0, (elements) => elements.push(element)),
      'array_prepend(anyelement, anyarray) anyarray': (call, element, array) =>
        changed(call, array, 1, (elements) => elements.unshift(element)),
      'array_cat(anyarray, anyarray) anyarray': (call, a, b) =>
        a === null
          ? b!
          : changed(call, a, 0, (elements) => elements.push(...(b === null ? [] : partsOf(call, b, 1).elements))),
      'array_remove(anyarray, anyelement) anyarray': (call, array, element) => {
        if (array === null) return null;
        const equal = isEqual(call);
        const kept = partsOf(call, array).elements.filter((e) => !equal(e, element));
        return printElements(call.context.types, call.resultType, kept);
      },
      'array_position(anyarray, anyelement) int4': (call, array, element) => {
        if (array === null) return null;
        const { elements, lowerBounds } = partsOf(call, array);
        const at = elements.findIndex((e) => isEqual(call)(e, element));
        return at < 0 ? null : String(at + (lowerBounds[0] ?? 1));
      },
      'array_replace(anyarray, anyelement, anyelement) anyarray': (call, array, from, to) => {
        if (array === null) return null;
        const parts = partsOf(call, array);
        const elements = parts.elements.map((e) => (isEqual(call)(e, from) ? to! : e));
        return printParts(call.context.types, call.resultType, { ...parts, elements });
      },
    }),
  ),
  setFunctions({
    'unnest(anyarray) setof anyelement': (call, array) => partsOf(call, array).elements,
    'generate_subscripts(anyarray, int4) setof int4': (call, array, number) => {
      const found = dimension(call, array, number);
      return found === null ? [] : Array.from({ length: found.length }, (_, i) => String(found.lower + i));
    },
    'generate_subscripts(anyarray, int4, bool) setof int4': () => {
      throw new NotEmulated('generate_subscripts in reverse');
    },
    '_pg_expandarray(anyarray) setof (x anyelement, n int4)': (call, array) =>
      partsOf(call, array).elements.map((element, i) => [element, String(i + 1)]),
  }),
];
