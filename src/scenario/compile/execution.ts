/** Document → database: what was declared, then the stream. */
import { Database } from '../../database/index.js';
import { Problems } from '../diagnostic.js';
import type { ScenarioDocument } from '../document.js';
import type { Named } from '../object.js';
import type { Partition } from '../format/tables.js';
import type { ServerSettings } from '../settings.js';
import type { Answer, Expectation, ScenarioStep } from '../steps.js';
import { ScenarioError } from '../scenario.js';
import { Compilation } from './compilation.js';
import { declareAll } from './declarations.js';
import { answersOf } from './answers.js';
import { expectationsOf } from './expectations.js';
import { LiveStream, type Published } from './live-stream.js';
import { checkedRounds, playThrough } from './rounds.js';
import { StreamRunner } from './stream.js';

/** A scenario's stream as it was executed, and what more can be executed after it. */
export interface Execution {
  readonly database: Database;
  /** There are rounds of a `repeat` that nobody has played yet. */
  readonly hasRounds: boolean;
  readonly steps: readonly ScenarioStep[];
  readonly labels: ReadonlyMap<string, bigint>;
  readonly answers: readonly Answer[];
  readonly expectations: readonly Expectation[];
  /**
   * Executes one or several more steps of the stream in `database`, after all that is there.
   * @param text - YAML or JSON, as in `stream:`
   * @throws ScenarioError with everything that is wrong with it; nothing has happened then
   */
  publish(text: string, options?: PublishOptions): Published;
  /**
   * Reads a step that is no data, as in `stream:`, for `LiveServer.inject`. Nothing is written.
   * @throws ScenarioError with everything that is wrong with it, a step that writes WAL say
   */
  fault(text: string, options?: PublishOptions): ScenarioStep;
}

/** Options of publishing steps. */
export interface PublishOptions {
  /** What problems are said to be in. Default `publish.yaml`. */
  readonly file?: string;
}

/** Options of executing a scenario anew. */
export interface ExecuteOptions {
  /** Every `repeat` as with `track: true`. */
  readonly keepRows?: boolean;
  /** No more rounds of a `repeat` than these, the last one among them: for a mere check. */
  readonly roundLimit?: number;
}

/** Everything wrong is in `problems`; reading the timeline afterwards throws what only a late round of a `repeat` meets. */
export function execute(
  document: ScenarioDocument,
  server: ServerSettings,
  seed: number,
  problems: Problems,
  options: ExecuteOptions = {},
): Execution {
  const { nextXid, clockStep } = server;
  const database = new Database({ server, nextXid, clockStep, pinnedOids: pinnedOids(document) });
  const compilation = new Compilation(server, seed, problems, options, document.sql);
  declareAll(document, database, compilation);
  const runner = new StreamRunner(compilation, database);
  runner.run(document.stream ?? []);
  const answers = answersOf(document, compilation);
  const expectations = expectationsOf(document, compilation);
  compilation.sealed = true;
  const steps = [...compilation.steps.values()];
  const { hasRounds, labels } = compilation;
  const live = new LiveStream(compilation, database, runner);
  const publish: Execution['publish'] = (text, { file = 'publish.yaml' } = {}) => live.publish(text, file);
  const fault: Execution['fault'] = (text, { file = 'fault.yaml' } = {}) => live.fault(text, file);
  return { database, hasRounds, steps, labels, answers, expectations, publish, fault };
}

/** Plays the first rounds of every `repeat`, and the last one, for what only they meet. */
export function checkRounds(
  document: ScenarioDocument,
  server: ServerSettings,
  seed: number,
  problems: Problems,
): void {
  const { database } = execute(document, server, seed, new Problems(), { roundLimit: checkedRounds });
  const reader = database.timeline.read();
  try {
    for (let event = reader.next(); event !== undefined; event = reader.next()) playThrough(event);
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    problems.list.push(...error.problems);
  }
}

/** What is pinned anywhere in the declarations is not given to anything else. */
function pinnedOids(document: ScenarioDocument): number[] {
  const oids: number[] = [];
  const pin = (oid: { readonly value: number } | undefined): void => {
    if (oid !== undefined) oids.push(oid.value);
  };
  const partitions = (children: readonly Named<Partition>[] | undefined): void => {
    for (const { value: partition } of children ?? []) {
      pin(partition.oid);
      partitions(partition.partitions);
    }
  };
  for (const { value: type } of document.types) {
    pin(type.oid);
    pin(type.arrayOid);
  }
  for (const { value: table } of document.tables) {
    pin(table.oid);
    partitions(table.partitions);
  }
  for (const { value: publication } of document.publications ?? []) pin(publication.oid);
  return oids;
}
