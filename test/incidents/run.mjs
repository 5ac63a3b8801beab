// node test/incidents/run.mjs: runs the incidents through the built command line, against the sample consumer, which
// meets them all, and against each mistake, which is found out by the scenarios that it names. Exit status 1: not so.
// With names of mistakes, or `sample`: only those.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { mistakes } from './mistakes/index.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const commandLine = process.env.FAKE_WALSENDER ?? `${root}dist/cli/main.js`;
const names = process.argv.slice(2);
const isWanted = (name) => names.length === 0 || names.includes(name);
/** Most of the time a run waits. */
const atATime = availableParallelism() * 4;

/** @returns what `run --json` says of each scenario */
async function run(scenarios, options, ...command) {
  const args = [commandLine, 'run', ...scenarios, '--json', '--annotate', 'off', ...options, '--', ...command];
  const env = { ...process.env, TIMEOUT: '2000' };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
  await once(child, 'close');
  if (output === '') throw new Error(`run ${scenarios.join(' ')} did not run:\n${errors}`);
  return JSON.parse(output).scenarios;
}

const nameOf = (file) => file.slice(file.lastIndexOf('/') + 1, -'.yaml'.length);

/** Everything is met. @returns lines about what is not */
async function tryTheSample() {
  const options = ['--jobs', String(atATime), '--timeout', '40s'];
  const scenarios = ['scenarios/incidents', 'test/incidents/two-phase.yaml'];
  const results = await run(scenarios, options, 'node', 'test/incidents/sample/main.mjs');
  const passed = results.filter((result) => result.passed);
  console.log(`the sample consumer meets ${passed.length} of ${results.length} scenarios`);
  return results.filter((result) => !result.passed).flatMap((result) => explain('sample', result));
}

function explain(consumer, { file, error, expectations, stderr }) {
  const unmet = expectations.filter(({ met }) => !met).map(({ expected, seen }) => `  ${expected}: ${seen}`);
  const said =
    stderr.trim() === ''
      ? []
      : stderr
          .trim()
          .split('\n')
          .map((line) => `  | ${line}`);
  return [`${consumer}, ${nameOf(file)}: not met${error === null ? '' : ` (${error})`}`, ...unmet, ...said];
}

/** The scenarios that the mistake names find it out. */
async function tryMistake(name) {
  const files = mistakes[name].fails.map((scenario) => `scenarios/incidents/${scenario}.yaml`);
  const options = ['--jobs', String(files.length), '--timeout', '15s', '--grace', '1s'];
  const results = await run(files, options, 'node', 'test/incidents/mistakes/main.mjs', name);
  return results.filter(({ passed }) => passed).map(({ file }) => `${name}: ${nameOf(file)} does not find it out`);
}

async function tryMistakes() {
  const waiting = Object.keys(mistakes).filter(isWanted);
  const count = waiting.length;
  const problems = [];
  const work = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
      problems.push(...(await tryMistake(name)));
  };
  await Promise.all(Array.from({ length: atATime }, work));
  console.log(`${count} mistakes were tried`);
  return problems;
}

const problems = [...(isWanted('sample') ? await tryTheSample() : []), ...(await tryMistakes())];
console.log(problems.join('\n'));
process.exitCode = problems.length > 0 ? 1 : 0;
