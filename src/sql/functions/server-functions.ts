/** The functions that servers have, by name: to tell one that does not exist from one that is not emulated. */
import { functionLines } from '../system/functions.js';
import { linesOf, perMajor, wordsOf } from '../system/lines.js';

export interface ServerFunction {
  /** typnames of the parameters. */
  readonly parameters: readonly string[];
  /** The last parameter takes any number of arguments. */
  readonly isVariadic: boolean;
  readonly result: string;
  /** Aggregates and window functions are `other`. */
  readonly kind: 'value' | 'set' | 'other';
}

const byName = perMajor((major) => {
  const functions = new Map<string, ServerFunction[]>();
  for (const group of functionLines.split('\n').flatMap((line) => linesOf(line.replaceAll('; ', '\n'), major))) {
    const colon = group.indexOf(': ');
    const name = group.slice(0, colon);
    const overloads = functions.get(name) ?? [];
    functions.set(name, overloads);
    for (const word of wordsOf(group.slice(colon + 2), major)) overloads.push(parse(word));
  }
  return functions;
});

function parse(word: string): ServerFunction {
  const [, parameters, arrow, result] = /^(.*?)(>>|=>|>)(.*)$/.exec(word)!;
  const types = parameters === '' ? [] : parameters!.split(',');
  return {
    parameters: types.map((type) => type.replace('*', '')),
    isVariadic: types.at(-1)?.startsWith('*') === true,
    result: result!,
    kind: arrow === '>' ? 'value' : arrow === '>>' ? 'set' : 'other',
  };
}

export function serverFunctions(major: number, name: string): readonly ServerFunction[] {
  return byName(major).get(name) ?? [];
}
