/** The format's tree → YAML, short things on one line. */
import { Scalar, YAMLMap, YAMLSeq } from 'yaml';
import type { MapNode, Node, ScalarNode } from '../node.js';
import { plain, text } from '../yaml-node.js';

/** Longer lists and maps get a line for each item. */
const lineWidth = 90;

export function yamlOf(node: Node): Scalar | YAMLMap | YAMLSeq {
  switch (node.kind) {
    case 'scalar':
      return scalarOf(node);
    case 'list': {
      const list = new YAMLSeq();
      list.flow = widthOf(node) <= lineWidth;
      for (const item of node.items) list.add(yamlOf(item));
      return list;
    }
    case 'map':
      return mapOf(node);
    case 'broken':
      return plain('null');
  }
}

function scalarOf({ text: value, plain: isPlain }: ScalarNode): Scalar {
  // A value's text has its braces escaped already.
  return isPlain ? plain(value) : text(value.replaceAll('\\{{', '{{'));
}

function mapOf({ entries }: MapNode): YAMLMap {
  const map = new YAMLMap();
  for (const { key, value } of entries) map.set(text(key), yamlOf(value));
  // Tables and their columns have a line each, what is said of one column has not.
  map.flow = entries.every(({ value }) => isShort(value)) && !entries.some(({ key }) => key === 'columns');
  if (map.flow)
    map.flow = entries.reduce((width, { key, value }) => width + key.length + widthOf(value) + 4, 0) <= lineWidth;
  return map;
}

function isShort(node: Node): boolean {
  return node.kind === 'scalar' || (node.kind === 'list' && node.items.every(({ kind }) => kind === 'scalar'));
}

function widthOf(node: Node): number {
  if (node.kind === 'scalar') return node.text.length;
  return node.kind === 'list' ? node.items.reduce((width, item) => width + widthOf(item) + 2, 2) : lineWidth + 1;
}
