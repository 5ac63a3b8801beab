import { Command } from 'commander';
import { rows as consumedRows } from '../scenario/index.js';
import { Exit } from './exit.js';
import { writeTo } from './output.js';
import type { Verb } from './program.js';
import { addScenarioOptions, loadOneScenario, type ScenarioOptions } from './scenarios.js';
import type { Terminal } from './terminal.js';

interface Options extends ScenarioOptions {
  readonly at?: string;
  readonly publication?: string;
}

export const rows: Verb = {
  command: (terminal) =>
    addScenarioOptions(new Command())
      .description(
        'Prints the tables that a correct consumer ends with, as JSON: rows by table, values as the server prints them.',
      )
      .argument('<scenario>', 'a file')
      .option('--at <label>', 'as of this label of the stream (default: its end)')
      .option('--publication <name>', 'only what this publication publishes (default: every table)')
      .addHelpText(
        'after',
        `
Examples:
  fake-walsender rows scenarios/key-change.yaml
  fake-walsender rows scenarios/key-change.yaml --publication app`,
      )
      .action((pattern: string, options: Options) => run(pattern, options, terminal)),
};

async function run(pattern: string, options: Options, terminal: Terminal): Promise<void> {
  const scenario = await loadOneScenario(pattern, options, terminal);
  try {
    const tables = consumedRows(scenario, { at: options.at, publication: options.publication });
    await writeTo(terminal.stdout, `${JSON.stringify(tables, undefined, 2)}\n`);
  } catch (error) {
    if (error instanceof RangeError) throw new Exit(1, `${pattern}: ${error.message}`);
    throw error;
  }
}
