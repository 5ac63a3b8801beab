/**
 * Shapes: the scenario format declared once. A shape reads a node into a typed value, reports whatever does not fit, and
 * says of itself what the JSON Schema and the reference need.
 */
import type { DiagnosticCode, DiagnosticExtras, Problems } from './diagnostic.js';
import type { JsonSchema } from './json-schema.js';
import { isNull, type Node } from './node.js';
import type { Source, Span } from './source.js';
import { quote } from './suggestion.js';

export interface Shape<T> {
  /** For "takes …" in messages: `an LSN such as 0/1500000`. */
  readonly expected: string;
  /** Undefined when nothing usable is there; the problem is reported then. */
  read(node: Node, reader: Reader): T | undefined;
  jsonSchema(): JsonSchema;
}

export type ShapeOf<S> = S extends Shape<infer T> ? T : never;

/** Where reading stands: the path from the root, and where problems go. */
export class Reader {
  /** Keys and list positions from the root of the scenario; also what generated values are seeded by. */
  readonly path: (string | number)[] = [];

  constructor(
    readonly source: Source,
    readonly problems: Problems,
  ) {}

  /** Reads a part of the current node. */
  part<T>(key: string | number, shape: Shape<T>, node: Node): T | undefined {
    this.path.push(key);
    const value = shape.read(node, this);
    this.path.pop();
    return value;
  }

  /** What was written at `at` is of no use: what comes of that is not worth another report. */
  lose(at: Span): undefined {
    this.problems.lost.push(at);
    return undefined;
  }

  report(code: DiagnosticCode, at: Span, message: string, extras?: DiagnosticExtras): void {
    this.problems.add(code, at, message, extras);
  }

  /** Reports that `node` is not what `shape` takes. Returns undefined, for readers to return. */
  mismatch(node: Node, shape: Pick<Shape<unknown>, 'expected'>, hint?: string): undefined {
    if (node.kind === 'broken') return;
    const code = node.kind === 'scalar' && !isNull(node) ? 'invalid-value' : 'wrong-type';
    this.report(code, pointAt(node), `${this.subject()} takes ${shape.expected}, not ${describe(node)}`, { hint });
  }

  /** What the current node is to the author: the key it stands behind. */
  subject(): string {
    const last = this.path.at(-1);
    if (last === undefined) return 'a scenario file';
    if (typeof last === 'string') return quote(last);
    const list = this.path.findLast((part) => typeof part === 'string');
    return list === undefined ? 'an item' : `an item of ${quote(list)}`;
  }
}

/** The part of a node that a message should underline: of a map or list that spans lines only its first line. */
export function pointAt(node: Node): Span {
  if (node.kind === 'map' && node.entries[0] !== undefined && firstLine(node.at).end < node.at.end) {
    return node.entries[0].keyAt;
  }
  return firstLine(node.at);
}

function firstLine(at: Span): Span {
  const lineEnd = at.source.text.slice(at.start, at.end).search(/\s*\r?\n/);
  return lineEnd < 0 ? at : { ...at, end: at.start + lineEnd };
}

export function describe(node: Node): string {
  if (isNull(node)) return 'nothing';
  if (node.kind === 'scalar') return node.tag === null ? quote(node.text) : `a value tagged ${node.tag}`;
  if (node.kind === 'broken') return 'this';
  return node.kind === 'list' ? 'a list' : 'a map';
}

/** Refuses a tag where no value of a column is expected. */
export function untagged(node: Node, reader: Reader): boolean {
  if (node.kind === 'broken') return false;
  if (node.tag === null) return true;
  reader.report('yaml-tag', node.at, `${reader.subject()} takes no ${node.tag}: tags are for values of columns`);
  return false;
}
