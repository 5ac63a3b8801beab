// Serves a scenario, follows it with the built-in client, and shows what both say.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const cli = (...args) =>
  spawn(process.execPath, ['dist/esm/cli/main.js', ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
const ended = (process) => new Promise((resolve) => process.once('close', resolve));

const server = cli('serve', 'scenarios/key-change.yaml', '--exit-after-end', '--timeout', '30s');
const serverEnded = ended(server);
for await (const line of createInterface({ input: server.stdout })) {
  console.log(`server: ${line}`);
  const url = line.match(/^listening (.*)/)?.[1];
  if (url === undefined) continue;
  const client = cli('tail', '--url', url, '--slot', 'demo', '--publication', 'demo', '--create-slot');
  for await (const change of createInterface({ input: client.stdout })) console.log(`client: ${change}`);
}
process.exitCode = await serverEnded;
