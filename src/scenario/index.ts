/**
 * The scenario format: YAML text → a checked scenario → a timeline → what a client receives. Pure: no I/O, so files come
 * in as text (`scenario-file.ts` reads them).
 */
import { checkRounds, execute } from './compile/execution.js';
import { Problems, type Diagnostic } from './diagnostic.js';
import { readDocument, type ReadFile } from './document.js';
import { ScenarioError, type Scenario } from './scenario.js';
import { clientOptions, serverSettings, slotSettings } from './settings.js';
import type { Source } from './source.js';
import type { SqlSupport } from './sql-support.js';
import type { Timeline } from '../timeline/timeline.js';

export {
  diagnosticCodes,
  type Diagnostic,
  type DiagnosticCode,
  type Place,
  type Related,
  type Severity,
} from './diagnostic.js';
export { formatDiagnostic, formatPlace } from './code-frame.js';
export { ScenarioError, type Scenario } from './scenario.js';
export { scenarioJsonSchema } from './reference.js';
export { onlyUnderRun } from './support.js';
export { anyPublication, encodeScenario, type EncodedMessage } from './encode-scenario.js';
export { rows, type ConsumedRow, type ConsumedTables, type RowsOptions } from './rows.js';
export type { ExecuteOptions, Execution, PublishOptions } from './compile/execution.js';
export type { Published, PublishedEnd } from './compile/live-stream.js';
export { readSchemaDump, type SchemaDump } from './dump/schema-dump.js';
export { exampleStream } from './starter/example-stream.js';
export { starterText, type StarterOptions } from './starter/starter-text.js';
export type { ReadFile } from './document.js';
export type { SqlSupport } from './sql-support.js';
export type { ClientOptions, ServerSettings, SlotSettings } from './settings.js';
export type {
  Answer,
  AnswerOutcome,
  Expectation,
  KeepaliveStep,
  NetworkStep,
  Position,
  ScenarioStep,
  WireBytes,
} from './steps.js';

/** Options of loading. */
export interface LoadOptions {
  /** How diagnostics name the file. */
  readonly file?: string;
  /** Reads files that the scenario includes. Without it `include` is refused. */
  readonly readFile?: ReadFile;
  /** Reads and executes SQL, for `sql:` steps and `.sql` files. Without it they are refused. */
  readonly sql?: SqlSupport;
  /** Instead of the scenario's own: `--seed`. */
  readonly seed?: number;
  /** Instead of the scenario's own, such as `17` or `17.4`: `--server-version`. */
  readonly serverVersion?: string;
}

/** What loading gives: a scenario, or what is wrong with it. */
export interface LoadResult {
  /** Undefined when there are errors. */
  readonly scenario: Scenario | undefined;
  /** Errors and warnings, in reading order. */
  readonly problems: readonly Diagnostic[];
  /** By file name: for `formatDiagnostic`. */
  readonly sources: ReadonlyMap<string, Source>;
}

/**
 * Reads and checks a scenario. Every mistake is found at once; none is thrown.
 * @throws RangeError for an option that is out of range
 */
export function readScenario(text: string, options: LoadOptions = {}): LoadResult {
  const problems = new Problems();
  const file = options.file ?? 'scenario.yaml';
  const document = readDocument(text, file, problems, options);
  if (document === undefined) return { scenario: undefined, problems: problems.sorted(), sources: problems.sources };
  const server = serverSettings(document.server, options.serverVersion);
  const seed = options.seed ?? document.seed?.value ?? 0;
  const execution = execute(document, server, seed, problems);
  if (execution.hasRounds && !problems.hasErrors) checkRounds(document, server, seed, problems);
  const scenario: Scenario = {
    title: document.scenario.value,
    description: document.description?.value.trimEnd() ?? null,
    file,
    name: file.replace(/^.*\//, '').replace(/\.\w+$/, ''),
    server,
    publications: document.publications?.map(({ name }) => name.value) ?? null,
    slots: slotSettings(document.slots, server),
    client: clientOptions(document.client),
    ...execution,
    timeline: execution.database.timeline,
    execute(how) {
      const found = new Problems();
      const anew = execute(document, server, seed, found, how);
      if (found.hasErrors) throw new ScenarioError(found.sorted(), found.sources);
      return anew;
    },
  };
  return {
    scenario: problems.hasErrors ? undefined : scenario,
    problems: problems.sorted(),
    sources: problems.sources,
  };
}

/** The scenario of a result. @throws ScenarioError with all of its problems */
export function requireScenario({ scenario, problems, sources }: LoadResult): Scenario {
  if (scenario === undefined) throw new ScenarioError(problems, sources);
  return scenario;
}

/** The timeline of a scenario: what happens in it, the same for every client. */
export function compile(scenario: Scenario): Timeline {
  return scenario.timeline;
}
