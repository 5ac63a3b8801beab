/**
 * Streams from a server into a spool until it is to end:
 *
 *   streaming ─until, count, idle, signal→ stopping ─rest of the transaction─→ ended
 *       └──────────connection lost─────────────────────────────────────────────↗ (what had come is kept)
 */
import {
  Connection,
  ConnectionError,
  createSlot,
  DatabaseError,
  ReplicationStream,
  type Target,
  type XLogData,
} from '../client/index.js';
import { createDecoder, type Decoder } from '../pgoutput/index.js';
import { confirmableLsn, TransactionTracker } from '../pgoutput/transaction-tracker.js';
import { formatLsn } from '../values/lsn.js';
import type { Spool } from './capture/spool.js';
import { Exit } from './exit.js';
import { pluginOptions, protocolVersion, type PluginOptions } from './plugin-options.js';
import type { Terminal } from './terminal.js';

export interface RecordOptions extends PluginOptions {
  readonly slot: string;
  readonly createSlot?: boolean;
  readonly untilLsn?: bigint;
  readonly count?: number;
  /** Milliseconds. */
  readonly idle?: number;
  readonly confirm?: boolean;
}

export interface ServerIdentity {
  readonly systemId: string;
  readonly timelineId: number;
  /** `17.4`. */
  readonly version: string;
}

const progressInterval = 250;
const statusInterval = 10_000;
const noSuchObject = '42704';

export class Recorder {
  /** Of the tables that have come. */
  readonly relationIds = new Set<number>();
  transactions = 0;
  /** Everything up to here is in the spool. */
  position = 0n;
  /** What ended the connection before its time. */
  failure: ConnectionError | DatabaseError | undefined;
  readonly #decoder: Decoder;
  readonly #tracker = new TransactionTracker();
  #stopping = false;

  private constructor(
    readonly identity: ServerIdentity,
    private readonly connection: Connection,
    private readonly stream: ReplicationStream,
    private readonly options: RecordOptions,
    private readonly spool: Spool,
    private readonly terminal: Terminal,
  ) {
    this.#decoder = createDecoder({ protoVersion: protocolVersion(options), streaming: options.streaming ?? 'off' });
  }

  /** @throws DatabaseError, ConnectionError; Exit where the slot is missing */
  static async start(target: Target, options: RecordOptions, spool: Spool, terminal: Terminal): Promise<Recorder> {
    const connection = await Connection.open(target, {
      replication: true,
      onNotice: ({ severity, message }) => terminal.stderr.write(`${severity}: ${message}\n`),
    });
    try {
      const { rows } = await connection.query('IDENTIFY_SYSTEM');
      const [systemId, timeline] = rows[0] ?? [];
      const version = /^\d+(?:\.\d+)?/.exec(connection.parameters.get('server_version') ?? '')?.[0];
      if (options.createSlot === true) await createSlot(connection, options.slot, true);
      const stream = await ReplicationStream.start(connection, options.slot, 0n, pluginOptions(options));
      const identity = { systemId: systemId ?? '', timelineId: Number(timeline), version: version ?? '' };
      return new Recorder(identity, connection, stream, options, spool, terminal);
    } catch (error) {
      connection.end();
      if (!(error instanceof DatabaseError) || error.code !== noSuchObject) throw error;
      throw new Exit(
        1,
        `the server says: ${error.message}\n  --create-slot makes one for as long as the recording takes`,
      );
    }
  }

  async run(): Promise<void> {
    const { terminal, options } = this;
    const stopListening = terminal.onSignal(() => (this.#stopping ? terminal.exit(1) : this.#stop()));
    const idleTimer = options.idle === undefined ? undefined : setTimeout(() => this.#stop(), options.idle);
    // A server hangs up on who says nothing; 0/0 confirms nothing.
    const statusTimer = setInterval(() => this.stream.confirm(0n), statusInterval);
    const progress = new Progress(terminal, () => this.#report());
    try {
      for (let message; (message = await this.stream.next());) {
        if (this.#stopping && !this.#tracker.inTransaction) continue;
        if (message.kind === 'data') {
          idleTimer?.refresh();
          this.#keep(message);
        } else {
          if (!this.#tracker.inTransaction && message.walEnd > this.position) this.position = message.walEnd;
          if (message.replyRequested) this.stream.confirm(0n);
        }
        if (this.#finished) this.#stop();
      }
    } catch (error) {
      if (!(error instanceof ConnectionError) && !(error instanceof DatabaseError)) throw error;
      this.failure = error;
    } finally {
      progress.end();
      stopListening();
      clearTimeout(idleTimer);
      clearInterval(statusTimer);
    }
  }

  /**
   * Confirms what was recorded. By then its stream has ended, and a server takes no status updates any more in a second
   * stream of one connection: it needs another connection.
   */
  async confirm(target: Target): Promise<void> {
    if (this.failure !== undefined || this.position === 0n) return;
    const { options, position } = this;
    const connection = await Connection.open(target, { replication: true });
    try {
      const stream = await ReplicationStream.start(connection, options.slot, position, pluginOptions(options));
      stream.confirm(position);
      stream.stop();
      while ((await stream.next()) !== undefined);
    } finally {
      connection.end();
    }
  }

  end(): void {
    this.connection.end();
  }

  #keep({ walStart, payload }: XLogData): void {
    const message = this.#decoder.decode(payload);
    this.#tracker.follow(message);
    this.spool.add(payload, walStart, this.spool.count + 1);
    if (message.kind === 'relation') this.relationIds.add(message.relationId);
    const end = confirmableLsn(message);
    if (end === undefined || end <= this.position) return;
    this.position = end;
    this.transactions++;
  }

  get #finished(): boolean {
    const { untilLsn, count } = this.options;
    return (untilLsn !== undefined && this.position >= untilLsn) || this.transactions === count;
  }

  #stop(): void {
    if (this.#stopping) return;
    this.#stopping = true;
    this.stream.stop();
  }

  #report(): string {
    const ending = this.#stopping ? ', ending' : '';
    return `${this.transactions} transactions, ${this.spool.count} messages, ${formatLsn(this.position)}${ending}`;
  }
}

/** A line that is written again and again, on a terminal only. */
class Progress {
  readonly #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly terminal: Terminal,
    private readonly report: () => string,
  ) {
    if ((terminal.stderr as { isTTY?: boolean }).isTTY !== true) return;
    this.#timer = setInterval(() => this.#write(), progressInterval);
    this.#write();
  }

  #write(): void {
    this.terminal.stderr.write(`\r\u001b[Krecording: ${this.report()}`);
  }

  end(): void {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.terminal.stderr.write('\r\u001b[K');
  }
}
