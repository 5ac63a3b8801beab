/** Constants of a dump: defaults and bounds of partitions. */
import type { A_Const, Node as SqlNode, PartitionBoundSpec } from 'libpg-query';
import type { Node } from '../node.js';
import type { Span } from '../source.js';
import { listOf, plain, quoted } from './dump-nodes.js';

/** Undefined for what is no constant. Casts of constants count as constants: the column's type reads the text. */
export function constantNode(node: SqlNode, at: Span): Node | undefined {
  const text = constantText(node);
  if (text === undefined) return undefined;
  return text === null ? plain('null', at) : quoted(text.replaceAll('{{', '\\{{'), at);
}

function constantText(node: SqlNode): string | null | undefined {
  if ('TypeCast' in node) return node.TypeCast.arg && constantText(node.TypeCast.arg);
  if ('A_Const' in node) return textOf(node.A_Const);
  if ('A_Expr' in node && node.A_Expr.lexpr === undefined && node.A_Expr.rexpr !== undefined) {
    const operand = constantText(node.A_Expr.rexpr);
    return typeof operand === 'string' && /^[\d.]/.test(operand) ? `-${operand}` : undefined;
  }
  return undefined;
}

function textOf({ isnull, ival, fval, sval, boolval, bsval }: A_Const): string | null {
  if (isnull === true) return null;
  if (ival !== undefined) return String(ival.ival ?? 0);
  if (fval !== undefined) return fval.fval ?? '0';
  if (boolval !== undefined) return boolval.boolval === true ? 'true' : 'false';
  if (bsval !== undefined) return (bsval.bsval ?? '').slice(1);
  return sval?.sval ?? '';
}

/** `{ from: […], to: […] }` and its kin. */
export function boundEntries(bound: PartitionBoundSpec, at: Span): Readonly<Record<string, Node | undefined>> {
  if (bound.is_default === true) return { default: plain('true', at) };
  if (bound.strategy === 'h') {
    return { modulus: plain(String(bound.modulus ?? 0), at), remainder: plain(String(bound.remainder ?? 0), at) };
  }
  const values = (nodes: readonly SqlNode[] = []): Node =>
    listOf(
      nodes.map((node) => boundValue(node, at)),
      at,
    );
  if (bound.strategy === 'l') return { values: values(bound.listdatums) };
  return { from: values(bound.lowerdatums), to: values(bound.upperdatums) };
}

function boundValue(node: SqlNode, at: Span): Node {
  // MINVALUE and MAXVALUE are columns to the parser.
  const [field] = 'ColumnRef' in node ? (node.ColumnRef.fields ?? []) : [];
  if (field !== undefined && 'String' in field) return quoted((field.String.sval ?? '').toUpperCase(), at);
  return constantNode(node, at) ?? { kind: 'broken', at };
}
