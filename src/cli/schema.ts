import { Command } from 'commander';
import { scenarioJsonSchema } from '../scenario/index.js';
import { writeTo } from './output.js';
import type { Verb } from './program.js';

export const schema: Verb = {
  command: ({ stdout }) =>
    new Command()
      .description('Prints the JSON Schema of scenario files, with which editors complete and check them.')
      .addHelpText(
        'after',
        `
Examples:
  fake-walsender schema > scenario.schema.json`,
      )
      .action(() => writeTo(stdout, `${JSON.stringify(scenarioJsonSchema(), undefined, 2)}\n`)),
};
