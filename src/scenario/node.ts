/**
 * The tree that the format is read from: YAML with aliases followed, merge keys merged, tags checked and every scalar as
 * the text that the author wrote. What YAML could not read is a `broken` node: reported already, silently skipped by readers.
 */
import type { Span } from './source.js';

/** The tags of the format, all of them about values of columns. */
export const valueTags = ['!unchanged', '!toasted', '!bytes', '!binary', '!raw', '!generate'] as const;
export type ValueTag = (typeof valueTags)[number];

export interface ScalarNode {
  readonly kind: 'scalar';
  /** Source text of a plain scalar (10.50 keeps its zero), content of a quoted one. */
  readonly text: string;
  /** Written without quotes: `null`, `~` and nothing at all are then NULL. */
  readonly plain: boolean;
  readonly tag: ValueTag | null;
  readonly at: Span;
}
export interface ListNode {
  readonly kind: 'list';
  readonly items: readonly Node[];
  readonly tag: ValueTag | null;
  readonly at: Span;
}
export interface MapNode {
  readonly kind: 'map';
  readonly entries: readonly Entry[];
  /** An entry is missing: its key was no text (reported). */
  readonly incomplete: boolean;
  readonly tag: ValueTag | null;
  readonly at: Span;
}
export interface BrokenNode {
  readonly kind: 'broken';
  readonly at: Span;
}
export type Node = ScalarNode | ListNode | MapNode | BrokenNode;

export interface Entry {
  readonly key: string;
  readonly keyAt: Span;
  readonly value: Node;
}

export function isNull(node: Node): boolean {
  return node.kind === 'scalar' && node.plain && node.tag === null && /^(?:null|Null|NULL|~|)$/.test(node.text);
}
