/** `npm run oracle`: the same statements on real servers and in the product, the bytes compared. */
import { readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { Result } from './compare/compare.js';
import { Oracle } from './oracle.js';
import { list, markdownTable, resultIntroduction, summary } from './report.js';
import { majors } from './server/binaries.js';
import { appliesTo, loadWorkload } from './workload/workload.js';
import { sample, sampleMajors } from './sample.js';

/** The compiled program lies in .cache/oracle/test/oracle. */
const home = join(dirname(fileURLToPath(import.meta.url)), '../../../../test/oracle');

interface Options {
  readonly all?: true;
  readonly sample?: true;
  readonly major?: readonly number[];
  readonly variant?: string;
  readonly json?: true;
  readonly keep?: string;
}

await new Command('oracle')
  .description('Runs workloads on real servers and compares their bytes with the emulation.')
  .argument('[workload...]', 'workload files')
  .option('--all', 'every workload of test/oracle/workloads, and the table goes to test/oracle/RESULT.md')
  .addOption(new Option('--sample', 'the workloads and majors that every push runs').conflicts('all'))
  .option('--major <major...>', 'server majors; all where left out', addMajor)
  .option('--variant <name>', 'only the variants of this name')
  .option('--json', 'print nothing on stdout but the results as JSON')
  .option('--keep <folder>', 'keep the scenarios that are written')
  .action(run)
  .parseAsync();

async function run(files: readonly string[], options: Options, command: Command): Promise<void> {
  const paths = options.all || options.sample ? ownWorkloads(options.sample ? sample : undefined) : files;
  if (paths.length === 0) command.error('error: name a workload, or --all');
  const workloads = paths.map(loadWorkload);
  const oracle = new Oracle(process.env['ORACLE_SERVERS'] ?? join(home, '.servers'), options.variant, options.keep);
  const results: Result[] = [];
  for (const major of options.major ?? (options.sample ? sampleMajors : majors)) {
    const applicable = workloads.filter((workload) => appliesTo(workload, major));
    if (applicable.length > 0) results.push(...(await oracle.run(major, applicable)));
  }
  report(results, options);
  process.exitCode = results.length > 0 && results.every(({ identical }) => identical) ? 0 : 1;
}

function report(results: readonly Result[], { all, json, major, variant }: Options): void {
  const table = markdownTable(results);
  if (json) process.stdout.write(`${JSON.stringify(results, null, 1)}\n`);
  else process.stdout.write(all ? `${table}\n${list(results)}` : list(results));
  process.stderr.write(`${summary(results)}\n`);
  if (all && major === undefined && variant === undefined) {
    writeFileSync(join(home, 'RESULT.md'), `${resultIntroduction}${summary(results)}.\n\n${table}`);
  }
}

function ownWorkloads(names: readonly string[] | undefined): string[] {
  const folder = join(home, 'workloads');
  const chosen = names?.map((name) => `${name}.yaml`) ?? readdirSync(folder).sort();
  return chosen.map((name) => join(folder, name));
}

/** Takes `--major 14 16`, `--major 14,16` and several options. */
function addMajor(text: string, previous: readonly number[] = []): number[] {
  const added = text.split(',').map(Number);
  for (const major of added) {
    if (!majors.includes(major)) throw new InvalidArgumentError(`the majors are ${majors.join(', ')}`);
  }
  return [...previous, ...added];
}
