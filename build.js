// Builds dist/: once as ES modules, once as CommonJS, each with its own declarations.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';

rmSync('dist', { recursive: true, force: true });
for (const [format, type] of [
  ['esm', 'module'],
  ['cjs', 'commonjs'],
]) {
  mkdirSync(`dist/${format}`, { recursive: true });
  // Written first: the compiler reads it to know what kind of module the sources become.
  writeFileSync(`dist/${format}/package.json`, `${JSON.stringify({ type })}\n`);
  execFileSync('npx', ['tsc', '-p', `tsconfig.${format}.json`], { stdio: 'inherit' });
}
if (existsSync('dist/esm/cli/main.js')) chmodSync('dist/esm/cli/main.js', 0o755);
