/** `fake-walsender/scenario`: scenarios from files and texts, SQL included. */
import type { LoadOptions, LoadResult } from './scenario/index.js';
import { readScenarioFile } from './scenario-folder.js';
import { sqlSupport } from './sql/dml/support.js';

export {
  compile,
  diagnosticCodes,
  encodeScenario,
  formatDiagnostic,
  formatPlace,
  requireScenario,
  rows,
  scenarioJsonSchema,
  ScenarioError,
  type Answer,
  type AnswerOutcome,
  type ClientOptions,
  type ConsumedRow,
  type ConsumedTables,
  type Diagnostic,
  type DiagnosticCode,
  type EncodedMessage,
  type ExecuteOptions,
  type Execution,
  type Expectation,
  type LoadResult,
  type KeepaliveStep,
  type NetworkStep,
  type Place,
  type Position,
  type Published,
  type PublishedEnd,
  type PublishOptions,
  type Related,
  type RowsOptions,
  type Scenario,
  type ScenarioStep,
  type ServerSettings,
  type Severity,
  type SlotSettings,
  type WireBytes,
} from './scenario/index.js';

/** Options of `loadScenario`. */
export type LoadScenarioOptions = Omit<LoadOptions, 'readFile' | 'sql'>;

/**
 * Reads and checks a scenario, and the files that it includes. Text is told from a path by a line break or a brace, which no path of a scenario has.
 * @throws Error when the file cannot be read; mistakes in it are in the result
 */
export function loadScenario(pathOrText: string | URL, options: LoadScenarioOptions = {}): LoadResult {
  return readScenarioFile(pathOrText, { ...options, sql: sqlSupport });
}
