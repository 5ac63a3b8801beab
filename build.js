// Builds dist/: once as ES modules, once as CommonJS, each with its own declarations.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';

async function compile(format, type) {
  mkdirSync(`dist/${format}`, { recursive: true });
  // Written first: the compiler reads it to know what kind of module the sources become.
  writeFileSync(`dist/${format}/package.json`, `${JSON.stringify({ type })}\n`);
  const compiler = spawn(process.execPath, ['node_modules/typescript/bin/tsc', '-p', `tsconfig.${format}.json`], {
    stdio: 'inherit',
  });
  const [status] = await once(compiler, 'close');
  if (status !== 0) process.exitCode = 1;
}

rmSync('dist', { recursive: true, force: true });
await Promise.all([compile('esm', 'module'), compile('cjs', 'commonjs')]);
chmodSync('dist/esm/cli/main.js', 0o755);
