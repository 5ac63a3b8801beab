/** The format's tree, made rather than parsed: what a dump says, as if it had been written in YAML. */
import type { Entry, ListNode, MapNode, Node, ScalarNode } from '../node.js';
import type { Span } from '../source.js';

/** Text in quotes. */
export function quoted(text: string, at: Span): ScalarNode {
  return { kind: 'scalar', text, plain: false, tag: null, at };
}

/** `true`, a number: what is written without quotes. */
export function plain(text: string, at: Span): ScalarNode {
  return { kind: 'scalar', text, plain: true, tag: null, at };
}

export function listOf(items: readonly Node[], at: Span): ListNode {
  return { kind: 'list', items, tag: null, at };
}

export function names(texts: readonly string[], at: Span): ListNode {
  return listOf(
    texts.map((text) => quoted(text, at)),
    at,
  );
}

/** Keys without a value are left out. */
export function mapOf(entries: Readonly<Record<string, Node | undefined>>, at: Span): MapNode {
  return mapOfEntries(
    Object.entries(entries).flatMap(([key, value]) => (value === undefined ? [] : [{ key, keyAt: at, value }])),
    at,
  );
}

export function mapOfEntries(entries: readonly Entry[], at: Span): MapNode {
  return { kind: 'map', entries, incomplete: false, tag: null, at };
}
