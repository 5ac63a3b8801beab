import { Command } from 'commander';
import { Exit } from './exit.js';
import { writeTo } from './output.js';
import type { Verb } from './program.js';
import { addScenarioOptions, checkScenarios, reportProblems, type ScenarioOptions } from './scenarios.js';
import type { Terminal } from './terminal.js';

interface Options extends ScenarioOptions {
  readonly json?: boolean;
}

export const lint: Verb = {
  command: (terminal) =>
    addScenarioOptions(new Command())
      .description(
        'Checks scenario files: every mistake with its place, and what to do about it. Exit 1 if there is an error.',
      )
      .argument('<scenario...>', 'a file, a directory (its *.yaml, recursively) or a glob')
      .option('--json', 'print the problems as one JSON array; [] when there are none')
      .addHelpText(
        'after',
        `
Examples:
  fake-walsender lint scenarios
  fake-walsender lint 'scenarios/**/*.yaml' --json`,
      )
      .action((patterns: string[], options: Options) => run(patterns, options, terminal)),
};

async function run(patterns: readonly string[], options: Options, terminal: Terminal): Promise<void> {
  const results = await checkScenarios(patterns, options);
  const problems = results.flatMap((result) => result.problems);
  if (options.json) await writeTo(terminal.stdout, `${JSON.stringify(problems, undefined, 2)}\n`);
  else reportProblems(results, terminal);
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  if (!options.json) {
    terminal.stderr.write(`${results.length} checked: ${errors} errors, ${problems.length - errors} warnings\n`);
  }
  if (errors > 0) throw new Exit(1);
}
