/**
 * What a client got → a scenario that gives it again, byte by byte:
 *
 *   messages ─survey→ tables, where WAL stood, what ends how ─┐
 *   messages ─────────────────────────────────────────────────┴→ steps, printed one by one
 *
 * The capture is read twice and never held. In memory are the tables, and of streamed transactions their xids.
 */
import { newestMajor, typeByOid, type PgType } from '../../postgres/index.js';
import type { Message } from '../../pgoutput/messages.js';
import { recordSize } from '../../database/index.js';
import { CollectError, SeenTables, type CapturedMessage } from '../../timeline/collect.js';
import { survey, type Survey } from '../../timeline/survey.js';
import { formatLsn } from '../../values/lsn.js';
import { parseTimestamp } from '../../values/timestamp.js';
import { printYaml, StepPrinter } from '../print.js';
import type { ClientOptions } from '../settings.js';
import { Announcements } from './announcements.js';
import { CellPrinter, type TypeOf } from './cells.js';
import { ChangeWriter, messageOf, type ChangeContext, type RowChange } from './change-writer.js';
import { TransactionPins, WalPins, type EndPin } from './pins.js';
import { Savepoints } from './savepoints.js';
import { tableDeclaration, tableName, type TableContext, type TableFacts } from './tables.js';
import { flag, lsn as lsnText, text, time as timeText, type YamlObject, type YamlValue } from './yaml-node.js';
import { YAMLMap } from 'yaml';

export interface DecompileOptions {
  readonly title: string;
  /** Comment lines at the top. */
  readonly about?: readonly string[];
  /** Emulated major or release; worked out from the messages where absent. */
  readonly serverVersion?: string;
  readonly systemId?: string;
  readonly timelineId?: number;
  /** What the client asked for; what is left out is worked out from the messages. */
  readonly client?: Partial<ClientOptions>;
  /** From the server's catalogs. */
  readonly factsOf?: (oid: number) => TableFacts | undefined;
  /** `types:`, as printed. */
  readonly types?: YamlObject;
  readonly declaredType?: TableContext['declaredType'];
  /** By OID: what `declaredType` names. */
  readonly declaredTypes?: ReadonlyMap<number, PgType>;
  /** Told of what could not be taken over: a transaction whose end is not in the capture. */
  readonly onNote?: (note: string) => void;
}

/**
 * @param capture - read twice; each iteration starts at the first message
 * @returns the text of the scenario, piece by piece
 * @throws CollectError while iterating, where the messages cannot be those of one session from its start
 */
export function* decompile(capture: Iterable<CapturedMessage>, options: DecompileOptions): Generator<string> {
  let pieces: string[] = [];
  const decompiler = new Decompiler(survey(capture), options, (piece) => pieces.push(piece));
  decompiler.header();
  let index = 0;
  for (const captured of capture) {
    decompiler.follow(captured, index++);
    if (pieces.length < piecesTogether) continue;
    yield pieces.join('');
    pieces = [];
  }
  decompiler.finish();
  yield pieces.join('');
}

const piecesTogether = 500;

/** A transaction of which blocks have come. */
interface Streamed {
  readonly label: string;
  readonly pins: TransactionPins;
  readonly savepoints: Savepoints;
  readonly writer: ChangeWriter;
  begun: boolean;
}

interface Head {
  readonly xid: number;
  readonly beginLsn: bigint | null;
  readonly commitLsn: bigint;
  readonly commitTime: bigint;
  readonly gid: string | undefined;
  origin: YamlObject | undefined;
}

class Decompiler {
  readonly #major: number;
  readonly #client: ClientOptions;
  readonly #context: ChangeContext;
  readonly #wal: WalPins;
  readonly #printer: StepPrinter;
  readonly #streams = new Map<number, Streamed>();
  readonly #startLsn: bigint;
  readonly #clientStart: bigint | undefined;
  /** A Begin (Prepare) whose first change has not come. */
  #head: Head | null = null;
  /** The last transaction begun. */
  #current: Head | null = null;
  #writer: ChangeWriter | null = null;
  #block: {
    readonly stream: Streamed;
    firstLsn: bigint | null;
    head: YamlObject;
    open: boolean;
    readonly index: number;
  } | null = null;
  #any = false;
  #messages = 0;

  constructor(
    private readonly facts: Survey,
    private readonly options: DecompileOptions,
    private readonly write: (text: string) => void,
  ) {
    this.#major = majorOf(facts, options);
    this.#client = clientOf(facts, options.client);
    this.#printer = new StepPrinter((piece) => {
      if (!this.#any) write('stream:\n');
      this.#any = true;
      write(piece);
    });
    const start = startOf(facts);
    // What was prepared before the client started lies between the start of WAL and the client's.
    const { preparedBefore } = facts;
    this.#clientStart = preparedBefore.length > 0 ? start : undefined;
    const ends = preparedBefore.flatMap(({ endLsn }) => endLsn ?? []);
    const lowest = [start, ...ends].reduce((a, b) => (b < a ? b : a));
    this.#startLsn = lowest - BigInt(preparedBefore.length) * preparedSpace;
    this.#wal = new WalPins({
      lsn: this.#startLsn,
      xid: this.#firstXid,
      time: this.#firstTime,
    });
    const { factsOf = () => undefined, declaredType = () => undefined, declaredTypes } = options;
    const typeOf: TypeOf = (column) =>
      typeByOid(column.typeOid) ??
      (declaredType(column) === undefined ? undefined : declaredTypes?.get(column.typeOid));
    this.#context = {
      cells: new CellPrinter(this.#major, this.#client.binary, typeOf),
      tables: {
        major: this.#major,
        factsOf,
        declaredType,
        hasNulls: (oid, name) => facts.nulls.get(oid)?.has(name) === true,
      },
      seen: new SeenTables(facts.tables),
      announcements: new Announcements(this.#major),
      current: new Map(facts.tables.map((table) => [table.oid, table])),
      outOfLine: new Set(),
      truncated: facts.truncated,
    };
  }

  get #firstXid(): number {
    return this.facts.preparedBefore[0]?.xid ?? this.facts.firstXid ?? 750;
  }

  get #firstTime(): bigint {
    return this.facts.preparedBefore[0]?.time ?? this.facts.firstTime ?? parseTimestamp('2026-01-01T00:00:00Z');
  }

  header(): void {
    const { title, about = [], serverVersion, systemId, timelineId, types } = this.options;
    for (const line of about) this.write(`# ${line}\n`);
    this.write(
      printYaml({
        scenario: text(title),
        server: {
          version: serverVersion ?? String(this.#major),
          system_id: systemId === undefined ? undefined : text(systemId),
          timeline: timelineId === undefined || timelineId === 1 ? undefined : String(timelineId),
          lsn: lsnText(this.#startLsn),
          xid: String(this.#firstXid),
          clock: timeText(this.#firstTime),
        },
        client: this.#clientText(),
        types,
        tables: this.#tables(),
      }),
    );
    this.#prepareBefore();
  }

  #clientText(): YamlObject | undefined {
    const { protoVersion, streaming, twoPhase, binary, messages, origin } = this.#client;
    const client: YamlObject = {
      proto_version: protoVersion === 1 ? undefined : String(protoVersion),
      streaming: streaming === 'off' ? undefined : streaming,
      two_phase: flag(twoPhase),
      binary: flag(binary),
      messages: flag(messages),
      origin: origin === 'any' ? undefined : origin,
      start_lsn: lsnText(this.#clientStart),
    };
    return Object.values(client).every((value) => value === undefined) ? undefined : client;
  }

  #tables(): YamlValue | undefined {
    if (this.facts.tables.length === 0) return undefined;
    const map = new YAMLMap();
    for (const table of this.facts.tables) map.set(tableName(table), tableDeclaration(table, this.#context.tables));
    return map;
  }

  /** Prepared transactions of which the capture has only the outcome. */
  #prepareBefore(): void {
    if (this.facts.preparedBefore.length === 0) return;
    this.#printer.comment('Prepared before the client started: it gets no more than how these ended.');
    // Those of which the position is not told stand before the others.
    const sorted = [...this.facts.preparedBefore].sort((a, b) => Number((a.endLsn ?? 0n) - (b.endLsn ?? 0n)));
    for (const { gid, xid, endLsn, time } of sorted) {
      const wanted = endLsn ?? this.#wal.lsn + recordSize.change + recordSize.prepare;
      this.#printer.step({
        prepare: text(gid),
        xid: pinText(this.#wal.xid(xid)),
        begin_lsn: lsnText(wanted - recordSize.change - recordSize.prepare),
        changes: [],
        prepare_lsn: lsnText(wanted - recordSize.prepare),
        end_lsn: lsnText(wanted),
        prepare_time: time === null ? undefined : timeText(this.#wal.time(time)),
      });
      if (time === null) this.#wal.passTime();
      this.#wal.reach(wanted);
    }
  }

  follow(captured: CapturedMessage, index: number): void {
    const { message, lsn } = captured;
    this.#messages = index + 1;
    const table = this.#context.seen.follow(message, index);
    if (table !== null) this.#open.relation(table, (message as { xid?: number }).xid);
    switch (message.kind) {
      case 'type':
      case 'relation':
        break;
      case 'begin':
        this.#begin({ ...message, lsn, commitLsn: message.finalLsn, gid: undefined });
        break;
      case 'beginPrepare':
        this.#begin({ ...message, lsn, commitLsn: message.prepareLsn, commitTime: message.prepareTime });
        break;
      case 'origin':
        this.#origin(message, lsn);
        break;
      case 'commit': {
        const pin = this.#end(recordSize.commit, message.commitLsn, message.endLsn, index);
        const time = this.#wal.time(message.commitTime);
        this.#printer.end({ commit_lsn: lsnText(pin.lsn), end_lsn: lsnText(pin.endLsn), commit_time: timeText(time) });
        break;
      }
      case 'prepare': {
        if (this.#writer === null) {
          this.#begin({ ...message, lsn: null, commitLsn: message.prepareLsn, commitTime: message.prepareTime });
        }
        const pin = this.#end(recordSize.prepare, message.prepareLsn, message.endLsn, index);
        const time = this.#wal.time(message.prepareTime);
        this.#printer.end({
          prepare_lsn: lsnText(pin.lsn),
          end_lsn: lsnText(pin.endLsn),
          prepare_time: timeText(time),
        });
        break;
      }
      case 'commitPrepared': {
        const { gid, commitLsn, endLsn, commitTime } = message;
        const pin = this.#wal.end(recordSize.outcome, 0n, { lsn: commitLsn, endLsn });
        this.#printer.step({
          commit_prepared: text(gid),
          commit_lsn: lsnText(pin.lsn),
          end_lsn: lsnText(pin.endLsn),
          commit_time: timeText(this.#wal.time(commitTime)),
        });
        this.#context.announcements.executed(message.xid);
        break;
      }
      case 'rollbackPrepared': {
        const { gid, rollbackEndLsn, rollbackTime } = message;
        const start = rollbackEndLsn - recordSize.outcome;
        const pin = this.#wal.end(recordSize.outcome, 0n, { lsn: start, endLsn: rollbackEndLsn });
        this.#printer.step({
          rollback_prepared: text(gid),
          end_lsn: pin.lsn === undefined ? undefined : lsnText(rollbackEndLsn),
          rollback_time: timeText(this.#wal.time(rollbackTime)),
        });
        this.#context.announcements.executed(message.xid);
        break;
      }
      case 'message':
        if (message.transactional) this.#change({ message, lsn }, index);
        else {
          const pin = this.#wal.message(message.lsn);
          this.#printer.step({ message: { ...messageOf(message), transactional: 'false' }, lsn: lsnText(pin) });
        }
        break;
      case 'streamStart':
        this.#streamStart(message.xid, lsn, index);
        break;
      case 'streamStop':
        this.#streamStop(lsn, index);
        break;
      case 'streamAbort':
        this.#streamAbort(message, lsn);
        break;
      case 'streamCommit': {
        const pin = this.#endStreamed(message, message.commitLsn, message.endLsn, recordSize.commit);
        this.#printer.step({
          commit: label(message.xid),
          commit_lsn: lsnText(pin.lsn),
          end_lsn: lsnText(pin.endLsn),
          commit_time: timeText(this.#wal.time(message.commitTime)),
        });
        this.#context.announcements.streamEnded(message.xid, true);
        break;
      }
      case 'streamPrepare': {
        const pin = this.#endStreamed(message, message.prepareLsn, message.endLsn, recordSize.prepare);
        this.#printer.step({
          prepare: text(message.gid),
          of: label(message.xid),
          prepare_lsn: lsnText(pin.lsn),
          end_lsn: lsnText(pin.endLsn),
          prepare_time: timeText(this.#wal.time(message.prepareTime)),
        });
        break;
      }
      default:
        this.#change({ message, lsn }, index);
    }
  }

  finish(): void {
    if (this.#writer !== null) this.#breakOff();
    if (this.#block !== null) {
      this.options.onNote?.('the capture ends in a streamed block: the scenario ends the block');
      this.#streamStop(null, this.#messages);
    }
    const unfinished = [...this.#streams.values()].map((stream) => stream.label);
    if (unfinished.length > 0) {
      this.#printer.comment('The capture ends before these do.');
      this.#printer.step({ unfinished });
    }
  }

  /** The capture ends in a transaction. */
  #breakOff(): void {
    const { gid, commitLsn, commitTime } = this.#current!;
    if (gid !== undefined) {
      this.options.onNote?.(`the capture ends before the Prepare of ${gid}: what has come of it is left out`);
      return;
    }
    const pin = this.#end(recordSize.commit, commitLsn, commitLsn + recordSize.commit, this.#messages);
    this.#printer.end({
      commit_lsn: lsnText(pin.lsn),
      commit_time: timeText(this.#wal.time(commitTime)),
      unfinished: 'true',
    });
  }

  // Transactions that come as a whole.

  #begin(head: {
    xid: number;
    lsn: bigint | null;
    commitLsn: bigint;
    commitTime: bigint;
    gid: string | undefined;
  }): void {
    const { xid, lsn, commitLsn, commitTime, gid } = head;
    this.#head = { xid, commitLsn, commitTime, gid, beginLsn: lsn, origin: undefined };
    this.#current = this.#head;
    const pins = new TransactionPins(this.#wal, undefined, this.facts.limits.get(xid) ?? commitLsn);
    this.#writer = new ChangeWriter(
      this.#context,
      xid,
      pins,
      new Savepoints(xid, undefined, this.#wal),
      false,
      (step) => {
        this.#openHead();
        this.#printer.change(step);
      },
    );
  }

  #origin({ commitLsn, name }: Extract<Message, { kind: 'origin' }>, lsn: bigint | null): void {
    const origin = { name: text(name), lsn: commitLsn === 0n ? undefined : lsnText(commitLsn) };
    if (this.#head !== null) this.#head = { ...this.#head, origin, beginLsn: lsn };
    else if (this.#block !== null)
      this.#block = { ...this.#block, firstLsn: lsn, head: { ...this.#block.head, origin } };
  }

  /** Begin shows the position of the first record: up to 14, and of prepared transactions. */
  #settleBegin(first: bigint | null, isEmpty = false): void {
    if (this.#head === null || this.#writer === null) return;
    const { beginLsn, gid, commitLsn } = this.#head;
    if (gid === undefined && this.#major >= 15) return;
    if (beginLsn === null || beginLsn === 0n) {
      // An empty transaction is told by its begin alone, wherever that was.
      if (isEmpty) this.#writer.pins.beginLsn = commitLsn;
    } else if (first !== beginLsn) this.#writer.pins.beginLsn = beginLsn;
  }

  #openHead(): void {
    if (this.#head === null) return;
    const { xid, gid, origin } = this.#head;
    const head = {
      prepare: gid === undefined ? undefined : text(gid),
      xid: pinText(this.#wal.xid(xid)),
      begin_lsn: lsnText(this.#writer!.pins.beginLsn),
      origin,
    };
    this.#head = null;
    this.#printer.begin(head, gid === undefined);
  }

  #end(size: bigint, commitLsn: bigint, endLsn: bigint, index: number): EndPin {
    const writer = this.#writer!;
    if (writer.pins.isEmpty) this.#settleBegin(null, !writer.hasPending);
    writer.announcePending(null, index);
    this.#openHead();
    this.#writer = null;
    this.#context.announcements.executed(writer.xid);
    if (size === recordSize.commit) this.#context.announcements.forget(writer.xid);
    const { pins } = writer;
    const after = pins.last === 0n ? (pins.beginLsn ?? 0n) : pins.last;
    return this.#wal.end(size, after, { lsn: commitLsn, endLsn });
  }

  get #open(): ChangeWriter {
    return this.#block?.stream.writer ?? this.#writer!;
  }

  #change(captured: CapturedMessage & { readonly message: RowChange }, index: number): void {
    const { message, lsn } = captured;
    const shifts = message.kind === 'truncate' || message.kind === 'message';
    if (this.#writer?.pins.isEmpty === true) this.#settleBegin(shifts ? null : lsn);
    this.#open.change(captured, index);
  }

  // Streamed transactions.

  #streamStart(xid: number, lsn: bigint | null, index: number): void {
    let stream = this.#streams.get(xid);
    if (stream === undefined) {
      const facts = this.facts.streamed.get(xid)!;
      const pins = new TransactionPins(this.#wal, undefined, this.facts.limits.get(xid) ?? null);
      const savepoints = new Savepoints(xid, facts, this.#wal);
      const write = (step: YamlObject): void => {
        this.#openBlock();
        this.#printer.change(step);
      };
      const writer = new ChangeWriter(this.#context, xid, pins, savepoints, true, write);
      stream = { label: label(xid), pins, savepoints, writer, begun: false };
      this.#streams.set(xid, stream);
    }
    stream.pins.blockFirst = null;
    // Its xid is taken before those of its subtransactions.
    const head = stream.begun ? {} : { xid: pinText(this.#wal.xid(xid)) };
    stream.begun = true;
    this.#block = { stream, firstLsn: lsn, head, open: false, index };
  }

  #openBlock(): void {
    const block = this.#block;
    if (block === null || block.open) return;
    block.open = true;
    const { stream, head, firstLsn } = block;
    const first = firstLsn === null || firstLsn === stream.pins.blockFirst ? undefined : lsnText(firstLsn);
    this.#printer.begin({ open: stream.label, ...head, first_lsn: first }, false);
  }

  #streamStop(lsn: bigint | null, index: number): void {
    const { stream, firstLsn } = this.#block!;
    stream.writer.announcePending(null, index);
    const hidden = this.facts.streamed.get(stream.writer.xid)!.hidden.get(this.#block!.index) ?? [];
    for (const xid of [...hidden].sort((a, b) => a - b)) stream.writer.hidden(xid, firstLsn, index);
    // An empty block has a record that shows nowhere.
    if (!this.#block!.open) {
      const pin = stream.pins.change(recordSize.change, firstLsn);
      this.#block!.firstLsn = pin ?? null;
      stream.pins.blockFirst = null;
    }
    this.#openBlock();
    this.#printer.end({ last_lsn: lsn === null || lsn === stream.pins.last ? undefined : lsnText(lsn) });
    this.#block = null;
    this.#context.announcements.executed(stream.writer.xid);
  }

  #streamAbort(
    { xid, subxid, abortLsn, abortTime }: Extract<Message, { kind: 'streamAbort' }>,
    lsn: bigint | null,
  ): void {
    const stream = this.#streams.get(xid)!;
    const at = abortLsn ?? lsn;
    if (subxid === xid) {
      this.#streams.delete(xid);
      const { depth } = stream.savepoints;
      const pin = stream.pins.toEnd(recordSize.abort, at, depth > 1);
      // Subtransactions that show nothing are rolled back with it, at the same place.
      const lsns = pin === undefined ? undefined : Array.from({ length: depth }, () => formatLsn(pin));
      const abort_lsn = depth > 1 ? lsns : lsns?.[0];
      this.#printer.step({ abort: stream.label, abort_lsn, abort_time: timeText(abortTime) });
      if (abortTime === undefined) this.#wal.passTime();
      else this.#wal.time(abortTime);
      this.#context.announcements.streamEnded(xid, false);
      this.#context.announcements.executed(xid);
      return;
    }
    this.#context.announcements.streamEnded(xid, false);
    const rollback = stream.savepoints.rollback(subxid);
    // Already told with another subtransaction of the same record.
    if (rollback === undefined) return;
    const { before, name } = rollback;
    const pins = { abort_lsn: lsnText(stream.pins.toEnd(recordSize.abort, at)), abort_time: timeText(abortTime) };
    this.#rollbackStep(stream, [...before, { rollback_to: name, ...pins }, { release: name }]);
  }

  /** A block of its own, which shows nothing but the rollback. */
  #rollbackStep(stream: Streamed, steps: readonly YamlObject[]): void {
    this.#printer.begin({ open: stream.label }, false);
    for (const step of steps) this.#printer.change(step);
    this.#printer.end({});
  }

  #endStreamed({ xid }: { readonly xid: number }, lsn: bigint, endLsn: bigint, size: bigint): EndPin {
    const stream = this.#streams.get(xid)!;
    this.#streams.delete(xid);
    return this.#wal.end(size, stream.pins.last, { lsn, endLsn });
  }
}

/** For the records of a transaction that was prepared before the client started. */
const preparedSpace = recordSize.change + recordSize.prepare;

function label(xid: number): string {
  return `x${xid}`;
}

function pinText(pin: number | undefined): string | undefined {
  return pin === undefined ? undefined : String(pin);
}

function majorOf(facts: Survey, { serverVersion }: DecompileOptions): number {
  const given = serverVersion === undefined ? undefined : Number.parseInt(serverVersion, 10);
  const stable = 18;
  return given ?? Math.max(Math.min(stable, facts.newestMajor, newestMajor), facts.oldestMajor);
}

function clientOf(facts: Survey, asked: Partial<ClientOptions> = {}): ClientOptions {
  const streaming = asked.streaming ?? facts.streaming;
  // A slot's own property does without the option.
  const twoPhase = facts.twoPhase || (asked.twoPhase ?? false);
  const needed = streaming === 'parallel' ? 4 : twoPhase ? 3 : streaming === 'on' ? 2 : 1;
  return {
    protoVersion: asked.protoVersion ?? needed,
    streaming,
    twoPhase,
    binary: asked.binary ?? facts.binary,
    messages: asked.messages ?? facts.messages,
    origin: asked.origin ?? 'any',
    publications: undefined,
    late: false,
  };
}

/** Where WAL stands before it all: nothing that ends lies before it. */
function startOf({ lowestLsn, lowestEnd }: Survey): bigint {
  if (lowestEnd === null) return lowestLsn ?? 0x150_0000n;
  const lowest = lowestLsn !== null && lowestLsn < lowestEnd ? lowestLsn : lowestEnd;
  // A message's record has a start, too.
  return lowest === lowestEnd && lowest > recordSize.message ? lowest - recordSize.message : lowest;
}

export { CollectError };
