/** Values on their way out of a statement: what a session's output functions print. */
import type { StatementContext } from '../context.js';
import { arrayParts, printParts } from './array-values.js';
import { objectName } from './object-names.js';
import { isObjectIdentifier } from './type-space.js';

/** The text that the type's output function prints for this session. */
export function outputText(context: StatementContext, oid: number, value: string): string {
  return textOutput(context, oid)?.(value) ?? value;
}

/** The output function for this session; undefined where it prints the canonical text. */
export function textOutput(context: StatementContext, oid: number): ((value: string) => string) | undefined {
  const { types } = context;
  const facts = types.facts(oid);
  if (isObjectIdentifier(facts)) return (value) => objectName(context, facts.name, Number(value));
  const element = facts.kind === 'b' && facts.category === 'A' ? facts.element : 0;
  if (element !== 0 && isObjectIdentifier(types.facts(element))) {
    const print = textOutput(context, element)!;
    return (value) => {
      const parts = arrayParts(types, oid, value);
      return printParts(types, oid, { ...parts, elements: parts.elements.map((e) => e && print(e)) });
    };
  }
  const { output } = types.pgType(oid);
  const settings = context.session.outputSettings;
  return output && ((value) => output(value, settings));
}
