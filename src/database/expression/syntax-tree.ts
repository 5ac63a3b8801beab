/** A value expression as it was written. `offset` is where it (or what names it) begins in the text. */
export type Expression =
  | { readonly kind: 'constant'; readonly value: string; readonly type: 'string' | 'number'; readonly offset: number }
  | { readonly kind: 'boolean'; readonly value: boolean; readonly offset: number }
  | { readonly kind: 'null'; readonly offset: number }
  | { readonly kind: 'column'; readonly name: string; readonly offset: number }
  | { readonly kind: 'and' | 'or'; readonly operands: readonly [Expression, Expression]; readonly offset: number }
  | { readonly kind: 'not'; readonly operand: Expression; readonly offset: number }
  | { readonly kind: 'unary'; readonly operator: '-' | '+'; readonly operand: Expression; readonly offset: number }
  | {
      readonly kind: 'binary';
      readonly operator: string;
      readonly operands: readonly [Expression, Expression];
      readonly offset: number;
    }
  | {
      readonly kind: 'test';
      readonly test: 'null' | 'true' | 'false' | 'unknown';
      readonly negated: boolean;
      readonly operand: Expression;
      readonly offset: number;
    }
  | {
      readonly kind: 'distinct';
      readonly negated: boolean;
      readonly operands: readonly [Expression, Expression];
      readonly offset: number;
    }
  | {
      readonly kind: 'like';
      readonly caseInsensitive: boolean;
      readonly negated: boolean;
      readonly operands: readonly [Expression, Expression];
      /** The escape character; null: none. */
      readonly escape: string | null;
      readonly offset: number;
    }
  | {
      readonly kind: 'quantified';
      readonly operator: string;
      readonly all: boolean;
      readonly operands: readonly [Expression, Expression];
      readonly offset: number;
    }
  | {
      readonly kind: 'cast';
      readonly typeName: string;
      readonly typeOffset: number;
      readonly operand: Expression;
      readonly offset: number;
    }
  | { readonly kind: 'array'; readonly elements: readonly Expression[]; readonly offset: number }
  | { readonly kind: 'call'; readonly name: string; readonly operands: readonly Expression[]; readonly offset: number }
  | {
      readonly kind: 'case';
      readonly whens: readonly { readonly condition: Expression; readonly result: Expression }[];
      readonly otherwise: Expression | null;
      readonly offset: number;
    };

/** Where an expression begins: errors about a whole one point there. */
export function startOf(expression: Expression): number {
  const first =
    'operands' in expression && expression.kind !== 'call'
      ? expression.operands[0]
      : expression.kind === 'test' || (expression.kind === 'cast' && expression.offset > startOf(expression.operand))
        ? expression.operand
        : undefined;
  return first === undefined ? expression.offset : Math.min(startOf(first), expression.offset);
}
