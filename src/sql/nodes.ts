/** Small readings of the parser's trees (libpg-query), where what is zero, empty or false is left out. */
import type { Node } from 'libpg-query';

/** The name of the node's one key, and what is under it. */
export function kindOf(node: Node): string {
  for (const kind in node) return kind;
  return 'nothing';
}

/** A String node. */
export function stringOf(node: Node): string {
  return 'String' in node ? (node.String.sval ?? '') : '';
}

export function stringsOf(nodes: readonly Node[] | undefined): string[] {
  return (nodes ?? []).map(stringOf);
}

/** An integer constant, negative ones (`-1`) included; undefined for anything else. */
export function integerConstant(node: Node): number | undefined {
  if ('Integer' in node) return node.Integer.ival ?? 0;
  if ('A_Const' in node && node.A_Const.ival !== undefined) return node.A_Const.ival.ival ?? 0;
  if ('A_Expr' in node && node.A_Expr.lexpr === undefined && node.A_Expr.rexpr !== undefined) {
    const value = integerConstant(node.A_Expr.rexpr);
    return stringsOf(node.A_Expr.name)[0] === '-' && value !== undefined ? -value : undefined;
  }
  return undefined;
}
