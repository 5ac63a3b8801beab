/** A loaded scenario: what every command and the mock work with. */
import type { Database } from '../database/index.js';
import type { Timeline } from '../timeline/timeline.js';
import type { ExecuteOptions, Execution, PublishOptions } from './compile/execution.js';
import { formatDiagnostic } from './code-frame.js';
import type { Published } from './compile/live-stream.js';
import type { Diagnostic } from './diagnostic.js';
import type { ClientOptions, ServerSettings, SlotSettings } from './settings.js';
import type { Source } from './source.js';
import type { Answer, Expectation, ScenarioStep } from './steps.js';

/** A scenario that was read and checked. */
export interface Scenario {
  /** `scenario:`. */
  readonly title: string;
  /** `description:`, what it shows and why, as its lines stand there; null without one. */
  readonly description: string | null;
  /** As diagnostics name it. */
  readonly file: string;
  /** The file name without folder and extension: what `serve` calls its database. */
  readonly name: string;
  readonly server: ServerSettings;
  /** Names of the declared publications; null when none are, so that every name exists. */
  readonly publications: readonly string[] | null;
  readonly slots: readonly SlotSettings[] | null;
  readonly client: ClientOptions;
  readonly answers: readonly Answer[];
  readonly expectations: readonly Expectation[];
  /** The steps that stand in the stream, each once. */
  readonly steps: readonly ScenarioStep[];
  /** LSNs of the labels. */
  readonly labels: ReadonlyMap<string, bigint>;
  /** After the stream: what a live server writes on. */
  readonly database: Database;
  /** What happened in `database`, and what will. */
  readonly timeline: Timeline;
  /** As Execution's, in `database`. */
  publish(text: string, options?: PublishOptions): Published;
  /** As Execution's. */
  fault(text: string, options?: PublishOptions): ScenarioStep;
  /**
   * Runs it all anew, in a database of its own. With `keepRows` the rows of every `repeat` are kept.
   * @throws ScenarioError for rows that cannot be kept together
   */
  execute(options?: ExecuteOptions): Execution;
}

const brand = Symbol.for('fake-walsender.ScenarioError');

/** All problems of a scenario at once. The message is their text with code frames. */
export class ScenarioError extends Error {
  readonly [brand] = true;

  constructor(
    readonly problems: readonly Diagnostic[],
    sources: ReadonlyMap<string, Source>,
  ) {
    super(problems.map((problem) => formatDiagnostic(problem, sources)).join('\n\n'));
    this.name = 'ScenarioError';
  }

  /** True for instances of the other module format's copy of this class too. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && brand in value;
  }
}
