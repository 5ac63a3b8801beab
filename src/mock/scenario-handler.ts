/** `scenario(…)`: a scenario file (or text) as what the server holds and streams. */
import { loadScenario, type LoadScenarioOptions } from '../scenario-file.js';
import { requireScenario, type Scenario } from '../scenario/index.js';
import type { HandlerBase } from './handler.js';
import { callerOf } from './source-line.js';

/** What `scenario` makes. */
export interface ScenarioHandler extends HandlerBase {
  readonly kind: 'scenario';
  readonly scenario: Scenario;
}

/**
 * A scenario file, or its text, as a database of the server. Several are databases of one server: the name in the URL picks one, the first one where no other is meant. Given to `use`,
 * they take the place of those before for connections made from then on, slots and all.
 *
 * @param pathOrText relative paths start at the working directory
 * @throws ScenarioError with all that is wrong in it; Error when the file cannot be read
 */
export function scenario(
  pathOrText: string | URL,
  options: Pick<LoadScenarioOptions, 'seed' | 'serverVersion' | 'file'> = {},
): ScenarioHandler {
  const loaded = requireScenario(loadScenario(pathOrText, options));
  return { kind: 'scenario', title: `scenario('${loaded.file}')`, source: callerOf(scenario), scenario: loaded };
}
