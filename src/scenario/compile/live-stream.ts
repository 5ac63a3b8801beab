/**
 * The stream of a scenario, continued while it is served: a text with more steps is executed as a whole, or is refused and
 * leaves no trace. Transactions that one text opens, another one may continue.
 */
import type { Database } from '../../database/index.js';
import type { TimelineEvent } from '../../timeline/timeline.js';
import { Problems, type Diagnostic } from '../diagnostic.js';
import { step, type StreamStep } from '../format/stream.js';
import { oneOrMany } from '../object.js';
import { ScenarioError } from '../scenario.js';
import { Reader } from '../shape.js';
import { Source } from '../source.js';
import type { ScenarioStep } from '../steps.js';
import { parseYaml } from '../yaml.js';
import type { Compilation } from './compilation.js';
import type { ExecuteOptions } from './execution.js';
import { checkedRounds, playThrough } from './rounds.js';
import { isFault, scenarioStep } from './steps.js';
import type { StreamRunner } from './stream.js';

/** The record that ended something: its start (of a message its end, as the client is told) and its end. */
export interface PublishedEnd {
  readonly kind: 'commit' | 'prepare' | 'abort' | 'commitPrepared' | 'rollbackPrepared' | 'message';
  /** 0 where there is none. */
  readonly xid: number;
  readonly lsn: bigint;
  readonly endLsn: bigint;
}

/** What steps that were published have become. */
export interface Published {
  /** Where WAL ends now: what a client confirms once it has got all of it. */
  readonly endLsn: bigint;
  /** Of the last transaction that was committed; absent when none was. */
  readonly xid?: number;
  readonly commitLsn?: bigint;
  /** What ended, in order; the rounds of an untracked `repeat` are left out. */
  readonly ends: readonly PublishedEnd[];
  /** The text's steps that are no data. */
  readonly steps: readonly ScenarioStep[];
  readonly warnings: readonly Diagnostic[];
}

type Events = Parameters<Parameters<Database['attempt']>[0]>[0];

/** They name or hold back the WAL that follows them. */
const placeBound: ReadonlySet<string> = new Set(['label', 'wait', 'wait_for', 'consumer']);

const moreSteps = oneOrMany(step, 'steps as in `stream`');

export class LiveStream {
  #count = 0;

  constructor(
    private readonly compilation: Compilation,
    private readonly database: Database,
    private readonly runner: StreamRunner,
  ) {}

  /**
   * @param text - a step, or a list of them, as YAML or JSON
   * @param file - what problems are said to be in
   * @throws ScenarioError with everything that is wrong
   */
  publish(text: string, file: string): Published {
    const problems = new Problems();
    const source = new Source(file, text);
    problems.sources.set(file, source);
    const steps = this.#read(source, problems);
    // Rounds of a `repeat` are played when they are read: what they would meet is looked for first, and taken back.
    if (text.includes('repeat')) this.#check(steps, problems);
    return this.#run(steps, problems, {}, (events) => {
      const ends = [...events()].flatMap((event) => endOf(event) ?? []);
      const commit = ends.findLast(({ kind }) => kind === 'commit' || kind === 'commitPrepared');
      this.#count++;
      return {
        endLsn: this.database.lsn,
        ...(commit && { xid: commit.xid, commitLsn: commit.lsn }),
        ends,
        steps: [...this.compilation.steps].flatMap(([at, made]) => (at.source === source ? [made] : [])),
        warnings: problems.sorted(),
      };
    });
  }

  /**
   * A step that is no data, to be performed now and not at a place of the stream: nothing is written.
   * @throws ScenarioError with everything that is wrong, a step that writes WAL say
   */
  fault(text: string, file: string): ScenarioStep {
    const { compilation } = this;
    const problems = new Problems();
    const source = new Source(file, text);
    problems.sources.set(file, source);
    const [step, ...others] = this.#read(source, problems);
    compilation.resume(problems, {});
    try {
      for (const { at } of others) compilation.report('conflicting-keys', at, 'one step at a time can be performed');
      if (step && (!isFault(step) || placeBound.has(step.kind))) {
        compilation.report('not-supported', step.at, `\`${step.kind}\` belongs to a place of the stream: publish it`);
      }
      const made = step && isFault(step) ? scenarioStep(step, compilation) : undefined;
      if (step) compilation.steps.delete(step.at);
      if (made === undefined || problems.hasErrors) throw new ScenarioError(problems.sorted(), problems.sources);
      return made;
    } finally {
      compilation.sealed = true;
    }
  }

  #read(source: Source, problems: Problems): readonly StreamStep[] {
    const root = parseYaml(source, problems);
    if (root === undefined) {
      problems.add('missing-key', { source, start: 0, end: 0 }, 'the text is empty: it takes steps as in `stream`');
      return [];
    }
    // Generated values follow from the place of a step, and this one is no other text's.
    const reader = new Reader(source, problems);
    return reader.part(`publish ${this.#count}`, moreSteps, root) ?? [];
  }

  #check(steps: readonly StreamStep[], problems: Problems): void {
    const takeBack = new Error('only a check');
    try {
      this.#run(steps, problems, { roundLimit: checkedRounds }, (events) => {
        this.compilation.sealed = true;
        for (const event of events({ rounds: true })) playThrough(event);
        throw takeBack;
      });
    } catch (error) {
      if (error !== takeBack) throw error;
    }
  }

  #run<T>(steps: readonly StreamStep[], problems: Problems, options: ExecuteOptions, then: (events: Events) => T): T {
    const { compilation, runner } = this;
    const marks = [compilation.mark(), runner.mark()];
    compilation.resume(problems, options);
    try {
      return this.database.attempt((events) => {
        runner.continue(steps);
        if (problems.hasErrors) throw new ScenarioError(problems.sorted(), problems.sources);
        return then(events);
      });
    } catch (error) {
      for (const comeBack of marks) comeBack();
      throw error;
    } finally {
      compilation.sealed = true;
    }
  }
}

function endOf(event: TimelineEvent): PublishedEnd | undefined {
  if (event.kind === 'message') return { kind: 'message', xid: 0, lsn: event.message.lsn, endLsn: event.message.lsn };
  if (event.kind === 'prepared') {
    const { kind, lsn, endLsn } = event.outcome;
    return { kind: kind === 'commit' ? 'commitPrepared' : 'rollbackPrepared', xid: event.transaction.xid, lsn, endLsn };
  }
  if (event.kind !== 'transaction' && event.kind !== 'end') return undefined;
  const { xid, end } = event.transaction;
  switch (end?.kind) {
    case 'commit':
      return { kind: 'commit', xid, lsn: end.commitLsn, endLsn: end.endLsn };
    case 'prepare':
      return { kind: 'prepare', xid, lsn: end.prepareLsn, endLsn: end.endLsn };
    case 'abort':
      return { kind: 'abort', xid, lsn: end.abortLsn, endLsn: end.abortLsn };
    case undefined:
      return undefined;
  }
}
