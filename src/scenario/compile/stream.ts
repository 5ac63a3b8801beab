/** The stream, carried out in the database. */
import type { BeginOptions, BlockPins, EndPins, OpenTransaction, Publisher } from '../../database/index.js';
import type { OriginMark } from '../../timeline/timeline.js';
import { hashRound } from '../faker.js';
import type { Change, PlainChange } from '../format/changes.js';
import type { StepOf, StreamStep } from '../format/stream.js';
import type { Text } from '../format/texts.js';
import type { Read } from '../object.js';
import type { Located } from '../source.js';
import { closest, quote } from '../suggestion.js';
import { abortPins, ChangeRunner, messageStatement, place, textOf } from './changes.js';
import type { Compilation } from './compilation.js';
import { attempt } from './refusal.js';
import { runSql } from './sql.js';
import { isFault, scenarioStep } from './steps.js';

interface OpenByLabel {
  readonly transaction: OpenTransaction;
  readonly at: Read;
}

export class StreamRunner {
  /** Open transactions by the author's names for them. */
  private open = new Map<string, OpenByLabel>();

  constructor(
    private readonly compilation: Compilation,
    private readonly publisher: Publisher,
    private readonly index?: number,
    private readonly round = 0,
  ) {}

  /** Runs the steps, then refuses what they left open. */
  run(steps: readonly StreamStep[]): void {
    this.continue(steps);
    for (const [label, { at }] of this.open) {
      this.compilation.report('missing-key', at.at, `the transaction ${quote(label)} is never ended`, {
        hint: `end it with \`commit: ${label}\`, \`abort: ${label}\`, or \`prepare: GID\` with \`of: ${label}\``,
      });
    }
  }

  /** Runs the steps; transactions may stay open. */
  continue(steps: readonly StreamStep[]): void {
    for (const step of steps) this.step(step);
  }

  /** @returns how to make it again what it is now */
  mark(): () => void {
    const open = new Map(this.open);
    return () => {
      this.open = open;
    };
  }

  private step(step: StreamStep): void {
    if (isFault(step)) {
      const made = scenarioStep(step, this.compilation);
      if (made === undefined) return;
      if (made.kind === 'label') this.compilation.label(step, made.name, this.index, this.publisher.lsn);
      this.publisher.step(made);
      return;
    }
    switch (step.kind) {
      case 'transaction':
        this.transaction(step);
        break;
      case 'repeat':
        this.repeat(step);
        break;
      case 'open':
        this.block(step);
        break;
      case 'commit':
        this.end(step, step.commit, (transaction) => transaction.commit({ ...commitPins(step), source: step.source }));
        break;
      case 'abort':
        this.end(step, step.abort, (transaction) => transaction.abort(abortPins(step)));
        break;
      case 'unfinished':
        for (const name of step.unfinished) this.takeOpen(name);
        break;
      case 'prepare':
        this.prepare(step);
        break;
      case 'commit_prepared':
        this.outcome(step, 'COMMIT PREPARED', step.commitPrepared, (gid) =>
          this.publisher.commitPrepared(gid, { ...commitPins(step), source: step.source }),
        );
        break;
      case 'rollback_prepared':
        this.outcome(step, 'ROLLBACK PREPARED', step.rollbackPrepared, (gid) =>
          this.publisher.rollbackPrepared(gid, { ...rollbackPins(step), source: step.source }),
        );
        break;
      case 'message':
        if (step.message.transactional?.value === false) this.message(step);
        else this.ownTransaction(step);
        break;
      case 'vacuum':
        this.vacuum(step);
        break;
      case 'sql':
        runSql(step, this.compilation, this.publisher);
        break;
      default:
        this.ownTransaction(step);
    }
  }

  private vacuum(step: StepOf<'vacuum'>): void {
    const names = step.vacuum.map((name) => name.value);
    this.attempt(step, 'VACUUM', () => this.publisher.vacuum(names, place(step)));
  }

  /** A change on its own is a transaction of its own. */
  private ownTransaction(change: PlainChange | Change): void {
    this.attempt(change, 'transaction', () => {
      const transaction = this.publisher.begin({ source: change.source });
      this.changes(transaction).change(change);
      transaction.commit();
    });
  }

  private transaction({ transaction: written, ...step }: StepOf<'transaction'>): void {
    this.attempt(written, 'transaction', () => {
      const transaction = this.publisher.begin(beginOptions(written, step));
      this.changes(transaction).run(written.changes);
      const unfinished = written.unfinished?.value === true ? { unfinished: true as const } : {};
      transaction.commit({ ...commitPins(written), ...unfinished });
    });
  }

  private message(step: StepOf<'message'>): void {
    const message = messageStatement(step.message, this.compilation.scope(this.index, this.round), this.compilation);
    if (message === undefined) return;
    const origin = step.origin && originMark(step.origin);
    this.attempt(step, 'message', () => this.publisher.message(message, { ...place(step), ...(origin && { origin }) }));
  }

  private repeat(step: StepOf<'repeat'>): void {
    const { changes, steps } = step;
    const { rounds, indexOf, track } = this.compilation.rounds(step);
    this.publisher.repeat(
      rounds,
      (publisher, i) => {
        const index = indexOf(i);
        const runner = new StreamRunner(this.compilation, publisher, index, hashRound(this.round, index));
        for (const change of changes ?? []) runner.repeatedChange(change);
        runner.run(steps ?? []);
      },
      { track },
    );
  }

  /** What stands in the `changes` of a `repeat`: what cannot be a transaction of its own is a step anyway. */
  private repeatedChange(change: Change): void {
    if (isFault(change)) this.step(change);
    else if (change.kind === 'repeat') this.repeat({ ...change, steps: undefined });
    else if (change.kind === 'message') this.step({ ...change, origin: undefined });
    else if (change.kind === 'sql') this.step(change);
    else this.ownTransaction(change);
  }

  private block(step: StepOf<'open'>): void {
    const label = this.text(step.open);
    if (label === undefined) return;
    this.attempt(step, `open ${label}`, () => {
      let open = this.open.get(label);
      if (open === undefined) {
        const options = { ...beginOptions(step, step), streamed: true };
        open = { transaction: this.publisher.begin(options), at: step };
        this.open.set(label, open);
      } else {
        this.refuseLatePins(step, label);
      }
      this.changes(open.transaction).run(step.changes);
      open.transaction.endBlock(blockPins(step));
    });
  }

  private refuseLatePins(step: StepOf<'open'>, label: string): void {
    for (const key of ['xid', 'begin_lsn', 'origin']) {
      const at = step.keys[key];
      if (at === undefined) continue;
      this.compilation.report('conflicting-keys', at, `${quote(key)} stands on the first step of a transaction`, {
        related: [{ at: this.open.get(label)!.at.at, message: `${quote(label)} was opened here` }],
      });
    }
  }

  private prepare(step: StepOf<'prepare'>): void {
    const gid = this.text(step.prepare);
    if (gid === undefined) return;
    const pins: EndPins = {
      source: step.source,
      ...(step.prepareLsn && { lsn: step.prepareLsn.value }),
      ...(step.endLsn && { endLsn: step.endLsn.value }),
      ...(step.prepareTime && { time: step.prepareTime.value }),
    };
    if (step.of !== undefined) {
      this.end(step, step.of, (transaction) => {
        this.changes(transaction).run(step.changes ?? []);
        transaction.prepare(gid, pins, blockPins(step));
      });
      return;
    }
    for (const key of ['first_lsn', 'last_lsn']) {
      const at = step.keys[key];
      if (at)
        this.compilation.report('conflicting-keys', at, `${quote(key)} is of a streamed transaction: it needs \`of\``);
    }
    this.attempt(step, `PREPARE TRANSACTION ${gid}`, () => {
      const transaction = this.publisher.begin(beginOptions(step, step));
      this.changes(transaction).run(step.changes ?? []);
      transaction.prepare(gid, pins);
    });
  }

  private end(step: StreamStep, name: Text, end: (transaction: OpenTransaction) => void): void {
    const open = this.takeOpen(name);
    if (open !== undefined) this.attempt(step, `${step.kind} ${open.label}`, () => end(open.transaction));
  }

  /** The open transaction of that name, which is not open any more; undefined when there is none (reported). */
  private takeOpen(name: Text): { readonly label: string; readonly transaction: OpenTransaction } | undefined {
    const written = this.text(name);
    if (written === undefined) return undefined;
    const label = this.open.has(written) ? written : this.meantLabel(written, name);
    const open = label === undefined ? undefined : this.open.get(label);
    if (label === undefined || open === undefined) return undefined;
    this.open.delete(label);
    return { label, transaction: open.transaction };
  }

  /** Reports a name that no open transaction has. Returns the one that was likely meant. */
  private meantLabel(written: string, { at }: Text): string | undefined {
    if (this.compilation.problems.explains(written)) return undefined;
    const meant = closest(written, this.open.keys());
    const hint =
      meant === undefined ? 'it is opened by a step `open: …`, and ended once' : `did you mean ${quote(meant)}?`;
    this.compilation.report('unknown-name', at, `no open transaction is called ${quote(written)}`, { hint });
    return meant;
  }

  private outcome(step: StreamStep, what: string, name: Text, run: (gid: string) => void): void {
    const gid = this.text(name);
    if (gid !== undefined) this.attempt(step, `${what} ${gid}`, () => run(gid));
  }

  private changes(transaction: OpenTransaction): ChangeRunner {
    return new ChangeRunner(this.compilation, transaction, this.publisher, this.index, this.round);
  }

  private text(text: Text): string | undefined {
    return textOf(text, this.compilation.scope(this.index, this.round), this.compilation);
  }

  private attempt(step: Read, what: string, statement: () => void): void {
    attempt(this.compilation, { what, step }, statement);
  }
}

interface BeginPins {
  readonly xid: Located<number> | undefined;
  readonly beginLsn: Located<bigint> | undefined;
  readonly origin: StepOf<'open'>['origin'];
}

function beginOptions(pins: BeginPins, { source }: Pick<Read, 'source'>): BeginOptions {
  return {
    source,
    ...(pins.xid && { xid: pins.xid.value }),
    ...(pins.beginLsn && { beginLsn: pins.beginLsn.value }),
    ...(pins.origin && { origin: originMark(pins.origin) }),
  };
}

function blockPins({ source, firstLsn, lastLsn }: StepOf<'open'> | StepOf<'prepare'>): BlockPins {
  return {
    source,
    ...(firstLsn && { firstLsn: firstLsn.value }),
    ...(lastLsn && { lastLsn: lastLsn.value }),
  };
}

function originMark({ name, lsn, time }: NonNullable<BeginPins['origin']>): OriginMark {
  return { name: name.value, lsn: lsn?.value ?? 0n, ...(time && { time: time.value }) };
}

interface CommitPins {
  readonly commitLsn: Located<bigint> | undefined;
  readonly endLsn: Located<bigint> | undefined;
  readonly commitTime: Located<bigint> | undefined;
}

function commitPins(pins: CommitPins): EndPins {
  return {
    ...(pins.commitLsn && { lsn: pins.commitLsn.value }),
    ...(pins.endLsn && { endLsn: pins.endLsn.value }),
    ...(pins.commitTime && { time: pins.commitTime.value }),
  };
}

function rollbackPins(pins: StepOf<'rollback_prepared'>): EndPins {
  return {
    ...(pins.rollbackLsn && { lsn: pins.rollbackLsn.value }),
    ...(pins.endLsn && { endLsn: pins.endLsn.value }),
    ...(pins.rollbackTime && { time: pins.rollbackTime.value }),
  };
}
