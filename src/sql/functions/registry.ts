/** All functions of a server's major, by name. */
import { functionNameLines } from '../system/function-names.js';
import { linesOf, perMajor, wordsOf } from '../system/lines.js';
import { aggregateFunctions } from './aggregates.js';
import { arrayFunctions } from './arrays.js';
import { catalogFunctions } from './catalog.js';
import type { FunctionDefinition } from './definition.js';
import { numberFunctions } from './numbers.js';
import { privilegeFunctions } from './privileges.js';
import { publicationFunctions } from './publications.js';
import { sessionFunctions } from './session.js';
import { slotFunctions } from './slots.js';
import { textFunctions } from './text.js';
import { timeFunctions } from './times.js';
import { transactionFunctions } from './transactions.js';
import { walFunctions } from './wal.js';

const groups = [
  ...aggregateFunctions,
  ...arrayFunctions,
  ...catalogFunctions,
  ...numberFunctions,
  ...privilegeFunctions,
  ...publicationFunctions,
  ...sessionFunctions,
  ...slotFunctions,
  ...textFunctions,
  ...timeFunctions,
  ...transactionFunctions,
  ...walFunctions,
];

const byName = perMajor((major) => {
  const definitions = new Map<string, FunctionDefinition[]>();
  for (const group of groups) {
    for (const definition of group(major)) {
      const named = definitions.get(definition.name);
      if (named === undefined) definitions.set(definition.name, [definition]);
      else named.push(definition);
    }
  }
  return definitions;
});

export function functionsNamed(major: number, name: string): readonly FunctionDefinition[] {
  return byName(major).get(name) ?? [];
}

const knownNames = perMajor(
  (major) => new Set(linesOf(functionNameLines, major).flatMap((line) => wordsOf(line, major))),
);

/** Servers of this major have functions of that name, whether or not they are emulated. */
export function isServerFunction(major: number, name: string): boolean {
  return knownNames(major).has(name) || byName(major).has(name);
}
