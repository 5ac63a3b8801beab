/**
 * PostgreSQL's parser at once. libpg-query starts with promises only; run in a context of its own whose promises settle before
 * `runInContext` returns (node:vm, `microtaskMode`), with a WebAssembly that compiles at once, it is ready when it is loaded.
 * CommonJS in both builds, since only require() can tell where the package is and load its parts at once.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createContext, runInContext } from 'node:vm';

type Parser = typeof import('libpg-query');

/** What is used of it: the Node.js types have none of it. */
interface WebAssemblyParts {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => object;
  readonly RuntimeError: ErrorConstructor;
}

export function loadParserAtOnce(): Parser {
  const { Module, Instance, RuntimeError } = (globalThis as unknown as { WebAssembly: WebAssemblyParts }).WebAssembly;
  const instantiate = (bytes: Uint8Array, imports: object): object => ({
    instance: new Instance(new Module(bytes), imports),
  });
  const context = createContext(
    // What the package gives us must be of our own realm: its trees come out of our JSON.
    { console, process, JSON, TextDecoder, WebAssembly: { RuntimeError, instantiate }, run },
    { microtaskMode: 'afterEvaluate' },
  );
  let begin: () => void = () => undefined;
  function run(): void {
    begin();
  }
  function load(file: string): unknown {
    const module = { exports: {} };
    const outside = createRequire(file);
    const inside = (name: string): unknown =>
      name.startsWith('.') ? load(join(dirname(file), name)) : (outside(name) as unknown);
    const wrapped = `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, 'utf8')}\n})`;
    const body = runInContext(wrapped, context, { filename: file }) as (...args: unknown[]) => void;
    begin = () => body(module.exports, inside, module, file, dirname(file));
    runInContext('run()', context);
    return module.exports;
  }
  return load(require.resolve('libpg-query')) as Parser;
}
