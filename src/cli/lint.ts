import { Command, Option } from 'commander';
import type { Diagnostic } from '../scenario/index.js';
import { annotation } from './annotations.js';
import { Exit } from './exit.js';
import { writeTo } from './output.js';
import type { Verb } from './program.js';
import { addScenarioOptions, checkScenarios, reportProblems, type ScenarioOptions } from './scenarios.js';
import type { Terminal } from './terminal.js';

interface Options extends ScenarioOptions {
  readonly json?: boolean;
  readonly annotate?: 'github' | 'off';
}

export const lint: Verb = {
  command: (terminal) =>
    addScenarioOptions(new Command())
      .description(
        'Checks scenario files: every mistake with its place, and what to do about it. Exit 1 if there is an error.',
      )
      .argument('<scenario...>', 'a file, a directory (its *.yaml, recursively) or a glob')
      .option('--json', 'print the problems as one JSON array; [] when there are none')
      .addOption(
        new Option(
          '--annotate <where>',
          'also print them for GitHub Actions to show on the lines (default: off)',
        ).choices(['github', 'off']),
      )
      .addHelpText(
        'after',
        `
Examples:
  fake-walsender lint scenarios
  fake-walsender lint 'scenarios/**/*.yaml' --json
  fake-walsender lint scenarios --annotate github`,
      )
      .action((patterns: string[], options: Options) => run(patterns, options, terminal)),
};

async function run(patterns: readonly string[], options: Options, terminal: Terminal): Promise<void> {
  if (options.json === true && options.annotate === 'github') {
    throw new Exit(2, '--json and --annotate exclude each other: both print to standard output');
  }
  const results = await checkScenarios(patterns, options);
  const problems = results.flatMap((result) => result.problems);
  if (options.json) await writeTo(terminal.stdout, `${JSON.stringify(problems, undefined, 2)}\n`);
  else reportProblems(results, terminal);
  if (options.annotate === 'github')
    await writeTo(terminal.stdout, problems.map((one) => `${annotation(one)}\n`).join(''));
  const count = (severity: Diagnostic['severity']): number =>
    problems.filter((problem) => problem.severity === severity).length;
  const errors = count('error');
  if (!options.json) {
    terminal.stderr.write(
      `${results.length} checked: ${counted(errors, 'error')}, ${counted(count('warning'), 'warning')}\n`,
    );
  }
  if (errors > 0) throw new Exit(1);
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
