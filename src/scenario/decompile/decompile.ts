/**
 * What a client got → a scenario that gives it again, byte by byte:
 *
 *   messages ─survey→ tables, where WAL stood, what ends how ─┐
 *   messages ─────────────────────────────────────────────────┴→ steps, printed one by one
 *
 * The capture is read twice and never held. In memory are the tables, and of streamed transactions their xids.
 */
import { typeByOid, type PgType } from '../../postgres/index.js';
import type { Origin } from '../../pgoutput/messages.js';
import { recordSize } from '../../database/index.js';
import { CollectError, SeenTables, type CapturedMessage } from '../../timeline/collect.js';
import { survey, type Survey } from '../../timeline/survey.js';
import { parseTimestamp } from '../../values/timestamp.js';
import { printYaml, StepPrinter } from '../print.js';
import type { ClientOptions } from '../settings.js';
import { Announcements } from './announcements.js';
import { CellPrinter, type TypeOf } from './cells.js';
import { messageOf, type ChangeWriter, type ChangeContext, type RowChange } from './change-writer.js';
import { WalPins } from './pins.js';
import { clientOf, majorOf, startOf } from './setting.js';
import { label, StreamedTransactions } from './streamed-transactions.js';
import { tableDeclaration, tableName, type TableContext, type TableFacts } from './tables.js';
import { pinText } from './telling.js';
import { WholeTransactions } from './whole-transactions.js';
import { flag, lsn as lsnText, text, time as timeText, type YamlObject, type YamlValue } from '../yaml-node.js';
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

class Decompiler {
  readonly #major: number;
  readonly #client: ClientOptions;
  readonly #context: ChangeContext;
  readonly #wal: WalPins;
  readonly #printer: StepPrinter;
  readonly #whole: WholeTransactions;
  readonly #streamed: StreamedTransactions;
  readonly #startLsn: bigint;
  readonly #clientStart: bigint | undefined;
  /** So far. */
  #messages = 0;

  constructor(
    private readonly facts: Survey,
    private readonly options: DecompileOptions,
    private readonly write: (text: string) => void,
  ) {
    const major = majorOf(facts, options.serverVersion);
    this.#major = major;
    this.#client = clientOf(facts, options.client);
    this.#printer = new StepPrinter(write);
    const start = startOf(facts);
    // What was prepared before the client started lies between the start of WAL and the client's.
    const { preparedBefore } = facts;
    this.#clientStart = preparedBefore.length > 0 ? start : undefined;
    const ends = preparedBefore.flatMap(({ endLsn }) => endLsn ?? []);
    const lowest = [start, ...ends].reduce((a, b) => (b < a ? b : a));
    this.#startLsn = lowest - BigInt(preparedBefore.length) * preparedSpace;
    this.#wal = new WalPins({ lsn: this.#startLsn, xid: this.#firstXid, time: this.#firstTime });
    this.#context = this.#contextOf(major);
    const note = (text: string): void => options.onNote?.(text);
    const telling = { major, facts, context: this.#context, wal: this.#wal, printer: this.#printer, note };
    this.#whole = new WholeTransactions(telling);
    this.#streamed = new StreamedTransactions(telling);
  }

  #contextOf(major: number): ChangeContext {
    const { facts } = this;
    const { factsOf = () => undefined, declaredType = () => undefined, declaredTypes } = this.options;
    const typeOf: TypeOf = (column) =>
      typeByOid(column.typeOid) ??
      (declaredType(column) === undefined ? undefined : declaredTypes?.get(column.typeOid));
    const hasNulls = (oid: number, name: string): boolean => facts.nulls.get(oid)?.has(name) === true;
    return {
      cells: new CellPrinter(major, this.#client.binary, typeOf),
      tables: { major, factsOf, declaredType, hasNulls },
      seen: new SeenTables(facts.tables),
      announcements: new Announcements(major),
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
        this.#whole.begin({ ...message, lsn, commitLsn: message.finalLsn, gid: undefined });
        break;
      case 'beginPrepare':
        this.#whole.begin({ ...message, lsn, commitLsn: message.prepareLsn, commitTime: message.prepareTime });
        break;
      case 'origin':
        this.#origin(message, lsn);
        break;
      case 'commit': {
        const pin = this.#whole.end(recordSize.commit, message.commitLsn, message.endLsn, index);
        const time = this.#wal.time(message.commitTime);
        this.#printer.end({ commit_lsn: lsnText(pin.lsn), end_lsn: lsnText(pin.endLsn), commit_time: timeText(time) });
        break;
      }
      case 'prepare': {
        if (this.#whole.writer === null) {
          this.#whole.begin({ ...message, lsn: null, commitLsn: message.prepareLsn, commitTime: message.prepareTime });
        }
        const pin = this.#whole.end(recordSize.prepare, message.prepareLsn, message.endLsn, index);
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
        this.#streamed.start(message.xid, lsn, index);
        break;
      case 'streamStop':
        this.#streamed.stop(lsn, index);
        break;
      case 'streamAbort':
        this.#streamed.abort(message, lsn);
        break;
      case 'streamCommit': {
        const pin = this.#streamed.end(message, message.commitLsn, message.endLsn, recordSize.commit);
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
        const pin = this.#streamed.end(message, message.prepareLsn, message.endLsn, recordSize.prepare);
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
    this.#whole.breakOff(this.#messages);
    this.#streamed.finish(this.#messages);
  }

  #origin({ commitLsn, name }: Origin, lsn: bigint | null): void {
    const origin = { name: text(name), lsn: commitLsn === 0n ? undefined : lsnText(commitLsn) };
    if (this.#whole.writer !== null) this.#whole.origin(origin, lsn);
    else this.#streamed.origin(origin, lsn);
  }

  get #open(): ChangeWriter {
    return this.#streamed.writer ?? this.#whole.writer!;
  }

  #change(captured: CapturedMessage & { readonly message: RowChange }, index: number): void {
    const { message, lsn } = captured;
    // Of these the start of the record does not show.
    this.#whole.expect(message.kind === 'truncate' || message.kind === 'message' ? null : lsn);
    this.#open.change(captured, index);
  }
}

/** For the records of a transaction that was prepared before the client started. */
const preparedSpace = recordSize.change + recordSize.prepare;

export { CollectError };
