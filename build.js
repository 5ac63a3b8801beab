// Builds dist/: the library as ES modules and as CommonJS, each with its declarations, the command line, and the schema.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

const dependencies = Object.keys(JSON.parse(readFileSync('package.json', 'utf8')).dependencies);

async function compileLibrary(format, type) {
  mkdirSync(`dist/${format}`, { recursive: true });
  // Written first: the compiler reads it to know what kind of module the sources become.
  writeFileSync(`dist/${format}/package.json`, `${JSON.stringify({ type })}\n`);
  const compiler = spawn(process.execPath, ['node_modules/typescript/bin/tsc', '-p', `tsconfig.${format}.json`], {
    stdio: 'inherit',
  });
  const [status] = await once(compiler, 'close');
  if (status !== 0) process.exitCode = 1;
}

/** What every command needs, in few files: reading hundreds takes most of the time that a short command runs. */
const bundledPackages = ['commander', 'yaml'];

async function bundleCommandLine() {
  await build({
    entryPoints: ['src/cli/main.ts'],
    outdir: 'dist/cli',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: dependencies.flatMap((name) => (bundledPackages.includes(name) ? [] : [name, `${name}/*`])),
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
  chmodSync('dist/cli/main.js', 0o755);
}

/** For editors: scenario files name it in their first line. */
function writeSchema() {
  const schema = JSON.parse(execFileSync(process.execPath, ['dist/cli/main.js', 'schema'], { maxBuffer: 1 << 24 }));
  writeFileSync('dist/scenario.schema.json', JSON.stringify(schema));
}

rmSync('dist', { recursive: true, force: true });
await Promise.all([
  compileLibrary('esm', 'module'),
  compileLibrary('cjs', 'commonjs'),
  bundleCommandLine().then(writeSchema),
]);
