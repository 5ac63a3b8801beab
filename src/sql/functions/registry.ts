/** All functions of a server's major, by name. */
import { perMajor } from '../system/lines.js';
import { aggregateFunctions } from './aggregates.js';
import { arrayFunctions } from './arrays.js';
import { catalogFunctions } from './catalog.js';
import { stable, type FunctionDefinition } from './definition.js';
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
  ...numberFunctions,
  ...textFunctions,
  ...timeFunctions,
  ...[
    ...catalogFunctions,
    ...privilegeFunctions,
    ...publicationFunctions,
    ...sessionFunctions,
    ...slotFunctions,
    ...transactionFunctions,
    ...walFunctions,
  ].map(stable),
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

export function allFunctions(major: number): FunctionDefinition[] {
  return [...byName(major).values()].flat();
}

export function functionsNamed(major: number, name: string): readonly FunctionDefinition[] {
  return byName(major).get(name) ?? [];
}
