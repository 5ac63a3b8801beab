/**
 * `serve --watch`: one server after another on the same port, each for the scenarios as they are then.
 *
 * ```
 *   serving ──a file changed──→ checking ──right──→ fast shutdown ──→ serving the new ones
 *      ↑                           │
 *      └──────── wrong: said ──────┘
 * ```
 */
import { CannotServe, serverConfig } from '../live/index.js';
import type { Scenario } from '../scenario/index.js';
import { Exit } from './exit.js';
import { ScenarioWatcher } from './scenario-watcher.js';
import { serveScenarios, type ServeOptions } from './serve-session.js';
import type { Terminal } from './terminal.js';

/** @param found is told of all files that were read, also of scenarios that are wrong. @throws Exit for those, when all is said */
export type LoadWatched = (found: (files: Iterable<string>) => void) => Promise<readonly Scenario[]>;

/** Resolves, and throws, as `serveScenarios`. */
export async function serveWatched(load: LoadWatched, options: ServeOptions, terminal: Terminal): Promise<void> {
  const deadline = options.timeout === undefined ? undefined : Date.now() + options.timeout;
  let restart: (() => void) | undefined;
  let next: readonly Scenario[] | undefined;
  const stop = new AbortController();
  const watcher = new ScenarioWatcher(() => void reload());
  const stopListening = terminal.onSignal(() => stop.abort());

  async function reload(): Promise<void> {
    try {
      const scenarios = await load((files) => watcher.add(files));
      // What one server cannot be for all of them is found before the old one is gone.
      await serverConfig(scenarios, options);
      next = scenarios;
      terminal.stderr.write('a scenario has changed: starting again\n');
      restart?.();
    } catch (error) {
      if (!(error instanceof Exit || error instanceof CannotServe)) throw error;
      const reason = error.message === '' ? '' : `${error.message}\n`;
      terminal.stderr.write(`${reason}the server goes on with the scenario as it was\n`);
    }
  }

  try {
    next = await load((files) => watcher.add(files));
    let settled: Partial<ServeOptions> | undefined = {};
    while (settled !== undefined && next !== undefined && !stop.signal.aborted) {
      const scenarios: readonly Scenario[] = next;
      next = undefined;
      const timeout = deadline === undefined ? {} : { timeout: Math.max(0, deadline - Date.now()) };
      settled = await serveScenarios(scenarios, { ...options, ...timeout, ...settled }, terminal, (end) => {
        restart = end;
        // Changed again while it started.
        if (next !== undefined) end();
      });
    }
  } finally {
    stopListening();
    watcher.close();
  }
}
