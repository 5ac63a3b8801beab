/** The operators that servers have: name, operand types, result type. */
import { linesOf, perMajor, wordsOf } from '../system/lines.js';
import { operatorLines } from '../system/operators.js';

export interface OperatorSignature {
  /** typname; empty for a prefix operator. */
  readonly left: string;
  readonly right: string;
  readonly result: string;
}

const byName = perMajor((major) => {
  const operators = new Map<string, OperatorSignature[]>();
  for (const line of linesOf(operatorLines, major)) {
    const colon = line.indexOf(': ');
    const [name, result] = line.slice(0, colon).split(' ');
    const signatures = operators.get(name!) ?? [];
    operators.set(name!, signatures);
    for (const word of wordsOf(line.slice(colon + 2), major)) {
      const [left, right] = word.split(',');
      signatures.push({ left: left!, right: right!, result: result! });
    }
  }
  return operators;
});

export function operatorsNamed(major: number, name: string): readonly OperatorSignature[] {
  return byName(major).get(name) ?? [];
}
