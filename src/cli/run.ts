import { availableParallelism } from 'node:os';
import { Command, Option } from 'commander';
import { duration, wholeNumber } from './arguments.js';
import { Exit } from './exit.js';
import type { Verb } from './program.js';
import type { RunOptions } from './run-session.js';
import { loadScenarios } from './scenarios.js';
import type { Terminal } from './terminal.js';

interface Options extends Omit<RunOptions, 'argv'> {
  readonly seed?: number;
  readonly serverVersion?: readonly string[];
}

export const run: Verb = {
  command: (terminal, args) =>
    new Command()
      .usage('[options] <scenario...> -- <command...>')
      .description(
        'Runs a consumer against each scenario, and says what of its expectations was and was not met.\n' +
          'The command finds its server by DATABASE_URL and the PG… variables. Once everything is settled it is stopped.\n' +
          'Exit status: 1 when something was not met; else the first but 0 of a command that ended by itself.',
      )
      .argument('<scenario...>', 'a file, a directory (its *.yaml, recursively) or a glob')
      .addOption(
        new Option('--timeout <time>', 'for each scenario; what is open then is not met')
          .argParser(duration)
          .default(60_000, '60s'),
      )
      .addOption(new Option('--grace <time>', 'between SIGTERM and SIGKILL').argParser(duration).default(5_000, '5s'))
      .option(
        '--restart <n>',
        'start a command that ended by itself, or was killed, again so often',
        wholeNumber(0, 1e6),
        0,
      )
      .option('--server-version <majors>', 'run on each of these: 13,16,18', majors)
      .option('--seed <n>', "instead of the file's seed", wholeNumber(0, Number.MAX_SAFE_INTEGER))
      .option('--jobs <n>', 'run so many scenarios at a time', wholeNumber(1, 1024), 1)
      .option('--junit <file>', 'write a report as JUnit XML there')
      .addOption(
        new Option('--annotate <format>', 'print annotations on stdout (default: github on GitHub Actions)').choices([
          'github',
          'off',
        ]),
      )
      .option('--coverage', 'print what the command was not shown, too')
      .option('--coverage-min <percent>', 'exit 1 if the command was shown less of all there is', wholeNumber(0, 100))
      .option(
        '--output-dir <folder>',
        'keep what the command prints and the server saw there; else it is shown of scenarios that fail',
      )
      .option('--json', 'print the results as JSON on stdout')
      .addHelpText(
        'after',
        `
Environment of the command, and of the scenarios' checks:
  DATABASE_URL, PGHOST, PGPORT, PGUSER, PGPASSWORD, PGDATABASE
  STATE_FILE           a file of the scenario's own, unless it is set already
  FAKE_WALSENDER_ROWS  for checks: a JSON file of the tables that a correct consumer ends with

Examples:
  fake-walsender run scenarios/key-change.yaml -- node consumer.js
  fake-walsender run scenarios --jobs ${availableParallelism()} --server-version 13,16,18 --junit report.xml -- ./consumer --verbose`,
      )
      .action((operands: string[], options: Options) => act(operands, args, options, terminal)),
};

async function act(
  operands: readonly string[],
  args: readonly string[],
  options: Options,
  terminal: Terminal,
): Promise<void> {
  const separator = args.indexOf('--');
  const [program, ...rest] = separator < 0 ? [] : args.slice(separator + 1);
  if (program === undefined) throw new Exit(2, 'the command to run is missing: run SCENARIO… -- COMMAND…');
  const patterns = operands.slice(0, operands.length - 1 - rest.length);
  if (patterns.length === 0) throw new Exit(2, 'no scenario is given: run SCENARIO… -- COMMAND…');
  const { seed, serverVersion: versions = [undefined] } = options;
  const scenarios = [];
  for (const serverVersion of versions) {
    const loadOptions = { ...(seed !== undefined && { seed }), ...(serverVersion !== undefined && { serverVersion }) };
    scenarios.push(...(await loadScenarios(patterns, loadOptions, terminal)));
  }
  const { runScenarios } = await import('./run-session.js');
  await runScenarios(scenarios, { ...options, argv: [program, ...rest], isMatrix: versions.length > 1 }, terminal);
}

/** `13,16,18` */
function majors(text: string): readonly string[] {
  return text.split(',').map((version) => version.trim());
}
