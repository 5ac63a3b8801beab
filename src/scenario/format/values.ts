/** Values of columns, as written: what they become depends on the column's type. */
import { hashText } from '../faker.js';
import type { JsonSchema } from '../json-schema.js';
import { isNull, type Node, type ScalarNode } from '../node.js';
import { mapOf, type Named } from '../object.js';
import { parseHex } from '../scalars.js';
import type { Reader, Shape } from '../shape.js';
import type { Span } from '../source.js';
import { parseTemplate, type Template } from '../template.js';
import { TemplateError } from '../template-error.js';

interface Written {
  readonly at: Span;
}

export type Value =
  | (Written & { readonly kind: 'null' })
  /** `plain`: written without quotes. */
  | (Written & { readonly kind: 'text'; readonly text: string; readonly plain: boolean })
  | (Written & { readonly kind: 'template'; readonly template: Template })
  | (Written & { readonly kind: 'list'; readonly items: readonly Value[] })
  | (Written & { readonly kind: 'map'; readonly entries: readonly Named<Value>[] })
  /** `!unchanged`: a TOAST value that is not sent. */
  | (Written & { readonly kind: 'unchanged' })
  /** `!toasted`: stored out of line. */
  | (Written & { readonly kind: 'toasted'; readonly value: Value })
  /** `!bytes`. */
  | (Written & { readonly kind: 'bytes'; readonly bytes: Uint8Array })
  /** `!binary`: sent exactly so, in the type's binary form. */
  | (Written & { readonly kind: 'binary'; readonly bytes: Uint8Array })
  /** `!raw`: sent exactly so. */
  | (Written & { readonly kind: 'raw'; readonly text: string })
  /** `!generate`: made by column type and name. */
  | (Written & { readonly kind: 'generate'; readonly seed: number; readonly hard: boolean })
  /** Reported already. Kept so that the row around it is known to be no good. */
  | (Written & { readonly kind: 'broken' });

export const value: Shape<Value> = {
  expected: 'a value',
  read: readValue,
  jsonSchema: (): JsonSchema => ({}),
};

const columnValues = mapOf(value, 'a row: a map from column names to values');

/** Column name → value. */
export const row: Shape<Row> = {
  ...columnValues,
  read: (node, reader) => {
    const values = columnValues.read(node, reader);
    return node.kind === 'map' && node.incomplete ? undefined : values;
  },
};
export type Row = readonly Named<Value>[];

function readValue(node: Node, reader: Reader): Value {
  return readUsable(node, reader) ?? { kind: 'broken', at: node.at };
}

function readUsable(node: Node, reader: Reader): Value | undefined {
  if (node.kind === 'broken') return undefined;
  const at = node.at;
  if (node.tag === '!toasted') {
    const inner = readUsable({ ...node, tag: null }, reader);
    return inner && { kind: 'toasted', value: inner, at };
  }
  if (node.kind === 'scalar') return node.tag === null ? readText(node, reader) : readTagged(node, reader);
  if (node.tag !== null) {
    reader.report('yaml-tag', at, `${node.tag} takes a text, not a ${node.kind}`);
    return undefined;
  }
  if (node.kind === 'list') {
    const items = node.items.map((item, i) => reader.part(i, value, item)!);
    return items.some(isBroken) ? undefined : { kind: 'list', items, at };
  }
  const entries = row.read(node, reader);
  return entries === undefined || entries.some((entry) => isBroken(entry.value))
    ? undefined
    : { kind: 'map', entries, at };
}

export function isBroken(value: Value): boolean {
  return value.kind === 'broken';
}

function readText(node: ScalarNode, reader: Reader): Value | undefined {
  const at = node.at;
  if (isNull(node)) return { kind: 'null', at };
  const template = readTemplate(node.text, at, reader);
  if (template === undefined) return undefined;
  if (typeof template === 'string') return { kind: 'text', text: template, plain: node.plain, at };
  return { kind: 'template', template, at };
}

/** A text, or the template in it; undefined when it is a broken one (reported). */
export function readTemplate(text: string, at: Span, reader: Reader): Template | string | undefined {
  try {
    return parseTemplate(text, hashText(reader.path.join('/')));
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    reader.report('invalid-template', at, error.message, { hint: error.hint });
    return undefined;
  }
}

function readTagged(node: ScalarNode, reader: Reader): Value | undefined {
  const { at, text } = node;
  switch (node.tag) {
    case '!unchanged':
      if (text === '') return { kind: 'unchanged', at };
      reader.report('yaml-tag', at, '!unchanged stands alone: the value is what it was', {
        hint: 'for a value that is stored out of line write !toasted "…"',
      });
      return undefined;
    case '!bytes':
    case '!binary': {
      const bytes = parseHex(text.replace(/^\\x/, ''));
      if (bytes !== undefined) return { kind: node.tag === '!bytes' ? 'bytes' : 'binary', bytes, at };
      reader.report('invalid-value', at, `${node.tag} takes hexadecimal digits, two for each byte`, {
        hint: `${node.tag} "\\\\xDEADBEEF"`,
      });
      return undefined;
    }
    case '!raw':
      return { kind: 'raw', text, at };
    case '!generate':
      if (text === '' || text === 'hard') {
        return { kind: 'generate', seed: hashText(reader.path.join('/')), hard: text === 'hard', at };
      }
      reader.report('yaml-tag', at, '!generate stands alone, or as `!generate hard` for values that break consumers');
      return undefined;
    default:
      return undefined;
  }
}
