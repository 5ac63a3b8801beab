/** A run's history, as one client saw it → a scenario. */
import type { AbortChange, Change, End, History, HistoryItem, Origin, Transaction } from '../history/history.js';
import type { StreamRun, WorkloadRun } from '../run/run.js';
import { overflowsMemory } from '../history/memory.js';
import { findBlocks, type Block } from './blocks.js';
import { ChangeWriter } from './changes.js';
import { qualified } from './names.js';
import { publicationsOf } from './publications.js';
import { tablesOf } from './tables.js';
import { typesOf } from './types.js';
import { lsn, printYaml, tagged, text, time, type YamlMap } from './yaml.js';

/** The label that stands where the stream was read up to. */
export const end = 'end of the stream';

export function writeScenario(title: string, run: WorkloadRun, history: History, stream: StreamRun): string {
  const { catalog, startLsn, version, systemId, timeline } = run;
  const items = history.items.filter(({ endLsn }) => endLsn <= stream.endLsn);
  const xids = items.flatMap((item) => (item.kind === 'transaction' ? [item.transaction.xid] : []));
  return printYaml({
    scenario: title,
    server: { version, system_id: systemId, timeline, lsn: lsn(startLsn), xid: xids[0] },
    types: typesOf(catalog),
    tables: tablesOf(catalog),
    publications: publicationsOf(catalog),
    stream: new StreamWriter(run, history, items, findBlocks(stream.frames)).steps,
  });
}

class StreamWriter {
  readonly steps: YamlMap[] = [];
  readonly #blocks = new Map<number, Block[]>();
  readonly #streamed = new Map<number, StreamedTransaction>();

  constructor(
    readonly run: WorkloadRun,
    history: History,
    readonly items: readonly HistoryItem[],
    blocks: readonly Block[],
  ) {
    const transactions = [
      ...history.items.flatMap((item) => (item.kind === 'transaction' ? [item.transaction] : [])),
      ...history.open,
    ];
    for (const block of blocks) {
      const list = this.#blocks.get(block.xid);
      if (list) list.push(block);
      else this.#blocks.set(block.xid, [block]);
    }
    for (const [xid, own] of this.#blocks) {
      const transaction = transactions.find((candidate) => candidate.xid === xid);
      if (transaction === undefined) throw new Error(`the transaction ${xid} that was streamed is not in the history`);
      this.#streamed.set(xid, new StreamedTransaction(transaction, own, run.live));
    }
    // Blocks and rollbacks within streamed transactions, each where WAL stood when the client got it.
    const pending = [...this.#streamed.values()]
      .flatMap((transaction) => transaction.pieces)
      .sort((a, b) => Number(a.position - b.position));
    for (const item of items) {
      while (pending.length > 0 && pending[0]!.position < item.endLsn) this.steps.push(...pending.shift()!.steps());
      this.steps.push(...this.#item(item));
    }
    for (const piece of pending) this.steps.push(...piece.steps());
    this.steps.push({ label: end });
    // A scenario leaves nothing open: what is not ended yet is committed after the end of what is compared.
    const ended = new Set(items.map((item) => (item.kind === 'transaction' ? item.transaction : undefined)));
    for (const { transaction, label } of this.#streamed.values()) {
      if (!ended.has(transaction)) this.steps.push({ commit: label });
    }
  }

  #item(item: HistoryItem): YamlMap[] {
    switch (item.kind) {
      case 'transaction':
        return this.#transaction(item.transaction, item.transaction.end!);
      case 'prepared':
        return [preparedStep(item.outcome, item.transaction, item.end)];
      case 'message': {
        const { prefix, content, endLsn } = item.message;
        const message = {
          prefix: text(prefix),
          content: tagged('!bytes', content.toString('hex')),
          transactional: false,
        };
        return [{ message, lsn: lsn(endLsn), origin: item.origin && { name: item.origin.name } }];
      }
      case 'touch':
        return item.tables.length === 0 ? [] : [{ vacuum: item.tables.map(qualified), lsn: lsn(item.lsn) }];
    }
  }

  #transaction(transaction: Transaction, end: End): YamlMap[] {
    const streamed = this.#streamed.get(transaction.xid);
    const label = streamed?.label;
    if (end.kind === 'abort') {
      return label === undefined ? [] : [{ abort: label, abort_lsn: lsn(end.endLsn), abort_time: time(end.time) }];
    }
    const pins = endPins(end);
    if (streamed && end.kind === 'prepare') {
      return [{ prepare: text(end.gid), of: label, ...streamed.atPrepare?.(), ...pins }];
    }
    if (streamed) return [{ commit: label, ...pins }];
    const writer = new ChangeWriter(transaction.xid, transaction.changes);
    const changes = transaction.changes.flatMap((change) => writer.write(change));
    const whole = { ...beginPins(transaction), changes, ...pins };
    if (end.kind !== 'prepare') return [{ transaction: whole }];
    if (!this.#isThrownAway(transaction)) return [{ prepare: text(end.gid), ...whole }];
    const opened = `x${transaction.xid}`;
    return [
      { open: opened, ...beginPins(transaction), changes },
      { prepare: text(end.gid), of: opened, ...pins },
    ];
  }

  /** From 18 on, one that is known to be rolled back is thrown away when memory overflows, whatever the client asked for. */
  #isThrownAway(transaction: Transaction): boolean {
    if (this.run.major < 18 || this.run.live || !overflowsMemory(transaction)) return false;
    return this.items.some(
      (item) => item.kind === 'prepared' && item.transaction === transaction && item.outcome === 'rollback',
    );
  }
}

interface Piece {
  /** How far WAL had been decoded before. */
  readonly position: bigint;
  steps(): YamlMap[];
}

/** A transaction that went out in blocks: which of its changes did, and when. */
class StreamedTransaction {
  readonly label: string;
  readonly pieces: readonly Piece[];
  /** What was left when it was prepared: sent then or, to a client without two-phase, at COMMIT PREPARED. */
  readonly atPrepare: (() => YamlMap) | undefined;

  constructor(
    readonly transaction: Transaction,
    captured: readonly Block[],
    live: boolean,
  ) {
    this.label = `x${transaction.xid}`;
    // What the end of a transaction sends first is made when that is decoded.
    const blocks = captured.map((block) =>
      block.atEnd && transaction.end ? { ...block, position: transaction.end.lsn } : block,
    );
    const rest = transaction.changes.filter(({ kind }) => kind !== 'abort');
    const sent: Change[][] = blocks.map((block, index) => {
      const inBlock = rest.splice(0, countIn(block, rest, blocks[index + 1]));
      // A server that decodes late goes no further than DDL that was rolled back: what it left out must not be sent here, too.
      if (!live && isCatalogWork(inBlock.at(-1)))
        inBlock.push(...rest.splice(0, this.#countVoid(inBlock.at(-1)!, rest)));
      return inBlock.filter((change) => !this.#void(change, block));
    });
    const shown = new Set(sent.flat().map(({ xid }) => xid));
    const aborts = transaction.changes.filter(
      (change) => change.kind === 'abort' && change.subxids.some((xid) => shown.has(xid)),
    );
    const all = [...sent.flat(), ...aborts].sort((a, b) => Number(a.lsn - b.lsn));
    const writer = new ChangeWriter(transaction.xid, all);
    let begun = false;
    const write = (changes: readonly Change[]): YamlMap[] => changes.flatMap((change) => writer.write(change));
    const open = (changes: readonly Change[], pins: YamlMap): YamlMap[] => {
      const begin = begun ? {} : beginPins(transaction);
      begun = true;
      return [{ open: this.label, ...begin, ...pins, changes: write(changes) }];
    };
    const isLeft = transaction.end?.kind === 'prepare' && blocks.length > 1 && blocks.at(-1)!.atEnd;
    const left = isLeft ? sent.pop() : undefined;
    this.atPrepare = left && (() => ({ ...leftPins(blocks.at(-1)!, transaction.end!), changes: write(left) }));
    this.pieces = [
      ...sent.map((changes, index) => ({
        position: blocks[index]!.position,
        steps: () => open(changes, { first_lsn: lsn(blocks[index]!.firstLsn), last_lsn: lsn(blocks[index]!.lastLsn) }),
      })),
      ...aborts.map((abort) => ({ position: abort.lsn, steps: () => open([abort], {}) })),
    ];
  }

  /** How many changes follow that were rolled back together with this one. */
  #countVoid({ xid, lsn: at }: Change, changes: readonly Change[]): number {
    const abort = this.transaction.changes.find(
      (change): change is AbortChange => change.kind === 'abort' && change.lsn > at && change.subxids.includes(xid),
    );
    const count = changes.findIndex((change) => abort?.subxids.includes(change.xid) !== true || change.lsn > abort.lsn);
    return count < 0 ? changes.length : count;
  }

  /** Rolled back before the block was made. */
  #void({ xid, lsn: at }: Change, { position }: Block): boolean {
    return this.transaction.changes.some(
      (change) =>
        change.kind === 'abort' && change.lsn > at && change.endLsn <= position && change.subxids.includes(xid),
    );
  }
}

function isCatalogWork(change: Change | undefined): boolean {
  return change?.kind === 'ddl' || change?.kind === 'touch';
}

/**
 * How many of the changes belong to the block. Rows of one multi-insert share a position, and a message's is where the
 * next record begins: the next block can begin where this one ends.
 */
function countIn({ lastLsn, atLast, atEnd }: Block, changes: readonly Change[], next: Block | undefined): number {
  if (atEnd) return changes.length;
  const positions = changes.map((change) => (change.kind === 'message' ? change.endLsn : change.lsn));
  const before = positions.findIndex((position) => position >= lastLsn);
  if (before < 0) return changes.length;
  let count = before;
  const limit = next?.firstLsn === lastLsn ? before + Math.max(atLast, 1) : Infinity;
  while (count < limit && positions[count] === lastLsn) count++;
  return count;
}

/** A client without two-phase gets that block at COMMIT PREPARED, whose record can count as its last change, or its only one. */
function leftPins({ firstLsn, lastLsn }: Block, prepare: End): YamlMap {
  return {
    first_lsn: firstLsn < prepare.lsn ? lsn(firstLsn) : undefined,
    last_lsn: lastLsn < prepare.lsn ? lsn(lastLsn) : undefined,
  };
}

function beginPins({ xid, firstLsn, decoded, end }: Transaction): YamlMap {
  return { xid, begin_lsn: decoded ? lsn(firstLsn) : undefined, origin: originOf(end?.origin) };
}

function originOf(origin: Origin | undefined): YamlMap | undefined {
  if (origin === undefined) return undefined;
  return { name: origin.name, lsn: lsn(origin.lsn), time: time(origin.time) };
}

function endPins({ kind, lsn: start, endLsn, time: at }: End): YamlMap {
  const name = kind === 'prepare' ? 'prepare' : 'commit';
  return { [`${name}_lsn`]: lsn(start), end_lsn: lsn(endLsn), [`${name}_time`]: time(at) };
}

function preparedStep(
  outcome: 'commit' | 'rollback',
  { end: prepare }: Transaction,
  { lsn: start, endLsn, time: at }: End,
): YamlMap {
  return {
    [`${outcome}_prepared`]: text(prepare!.gid),
    [`${outcome}_lsn`]: lsn(start),
    end_lsn: lsn(endLsn),
    [`${outcome}_time`]: time(at),
  };
}
