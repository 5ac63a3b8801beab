/** Free texts that go into the stream: prefix and content of a message, gids. They may hold `{{…}}`. */
import { textSchema } from '../json-schema.js';
import { isNull } from '../node.js';
import type { Shape } from '../shape.js';
import type { Span } from '../source.js';
import type { Template } from '../template.js';
import { readTemplate, value } from './values.js';

export interface Text {
  readonly value: string | Template | Uint8Array;
  readonly at: Span;
}

export const texts: Shape<Text> = {
  expected: 'text',
  read(node, reader) {
    if (node.kind === 'scalar' && node.tag === '!bytes') {
      const bytes = value.read(node, reader);
      return bytes?.kind === 'bytes' ? { value: bytes.bytes, at: node.at } : undefined;
    }
    if (node.kind !== 'scalar' || isNull(node) || node.tag !== null) return reader.mismatch(node, texts);
    const template = readTemplate(node.text, node.at, reader);
    return template === undefined ? undefined : { value: template, at: node.at };
  },
  jsonSchema: () => textSchema,
};
