// Serves a scenario, follows it with the built-in client, and shows what both say.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** Runs a verb, its output with a name before each line; resolves with its exit status. */
async function run(name, args, onLine = () => undefined) {
  const program = spawn(process.execPath, ['dist/cli/main.js', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [program.stdout, program.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      console.log(`${name} ${line}`);
      onLine(line);
    });
  }
  const [status] = await once(program, 'close');
  return status;
}

const follow = (url) =>
  run('client |', ['tail', '--url', url, '--slot', 'demo', '--publication', 'shop', '--create-slot', '--idle', '1s']);
let client;
const server = await run('server |', ['serve', 'scenarios/key-change.yaml', '--once', '--log', 'off'], (line) => {
  const url = line.match(/^listening (.*)/)?.[1];
  if (url) client = follow(url);
});
process.exitCode = (await client) || server;
