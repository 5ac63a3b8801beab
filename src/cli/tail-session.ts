/** What `tail` does once it knows where to connect. */
import { Connection, createSlot, ReplicationStream, type Target, type XLogData } from '../client/index.js';
import { createDecoder, type Decoder } from '../pgoutput/index.js';
import { formatLsn } from '../values/lsn.js';
import { messageLine } from './message-line.js';
import { MessagePrinter } from './message-text.js';
import { Output } from './output.js';
import { pluginOptions, protocolVersion, type PluginOptions } from './plugin-options.js';
import { hasColor, type Terminal } from './terminal.js';
import { confirmableLsn, TransactionTracker } from '../pgoutput/transaction-tracker.js';

export interface FollowOptions extends PluginOptions {
  readonly slot: string;
  readonly createSlot?: boolean;
  readonly temporary?: boolean;
  readonly startLsn?: bigint;
  readonly untilLsn?: bigint;
  readonly count?: number;
  /** Milliseconds, as the next. */
  readonly idle?: number;
  readonly statusInterval?: number;
  readonly json?: boolean;
}

/** @throws DatabaseError if the server refuses something or ends with an error, Error if the connection is lost. */
export async function follow(target: Target, options: FollowOptions, terminal: Terminal): Promise<void> {
  const connection = await Connection.open(target, {
    replication: true,
    onNotice: ({ severity, message }) => terminal.stderr.write(`${severity}: ${message}\n`),
  });
  try {
    if (options.createSlot) await createSlot(connection, options.slot, options.temporary ?? false);
    const stream = await ReplicationStream.start(
      connection,
      options.slot,
      options.startLsn ?? 0n,
      pluginOptions(options),
    );
    await new Session(connection, stream, options, terminal).run();
  } finally {
    connection.end();
  }
}

class Session {
  readonly #decoder: Decoder;
  readonly #tracker = new TransactionTracker();
  readonly #printer: MessagePrinter;
  readonly #output: Output;
  /** What may be confirmed once everything printed so far has been written. */
  #position = 0n;
  #transactions = 0;
  #stopping = false;

  constructor(
    readonly connection: Connection,
    readonly stream: ReplicationStream,
    readonly options: FollowOptions,
    readonly terminal: Terminal,
  ) {
    this.#decoder = createDecoder({ protoVersion: protocolVersion(options), streaming: options.streaming ?? 'off' });
    this.#printer = new MessagePrinter(hasColor(terminal.stdout, terminal));
    this.#output = new Output(terminal.stdout);
  }

  /** Prints and confirms until the stream ends. */
  async run(): Promise<void> {
    const { idle, statusInterval = 10_000 } = this.options;
    const stop = (): void => void this.#stop();
    const stopListening = this.terminal.onSignal(() => (this.#stopping ? this.terminal.exit(1) : stop()));
    const idleTimer = idle === undefined ? undefined : setTimeout(stop, idle);
    const statusTimer = setInterval(() => void this.#confirm(), statusInterval);
    try {
      for (let message; (message = await this.stream.next());) {
        // After CopyDone comes the rest of a transaction at most. It is not confirmed, so it comes again next time.
        if (this.#stopping) continue;
        if (message.kind === 'data') {
          idleTimer?.refresh();
          this.#print(message);
        } else if (!this.#tracker.inTransaction && message.walEnd > this.#position) {
          this.#position = message.walEnd;
        }
        const asked = message.kind === 'keepalive' && message.replyRequested;
        const news = this.connection.drained && this.#position > this.stream.confirmed;
        if (asked || news || this.#output.full) await this.#confirm();
        if (this.#finished) await this.#stop();
      }
    } finally {
      stopListening();
      clearTimeout(idleTimer);
      clearInterval(statusTimer);
      const confirmed = this.stream.confirmed === 0n ? 'nothing' : formatLsn(this.stream.confirmed);
      this.terminal.stderr.write(`confirmed ${confirmed} (transactions: ${this.#transactions})\n`);
    }
  }

  #print({ walStart, walEnd, payload }: XLogData): void {
    const message = this.#decoder.decode(payload);
    const xid = this.#tracker.follow(message);
    this.#output.line(
      this.options.json
        ? messageLine(formatLsn(walStart), formatLsn(walEnd), xid, payload, message)
        : this.#printer.print(message),
    );
    const end = confirmableLsn(message);
    if (end === undefined || end <= this.#position) return;
    this.#position = end;
    this.#transactions++;
  }

  get #finished(): boolean {
    const { untilLsn, count } = this.options;
    return (untilLsn !== undefined && this.#position >= untilLsn) || this.#transactions === count;
  }

  async #confirm(): Promise<void> {
    const position = this.#position;
    await this.#output.flush();
    this.stream.confirm(position);
  }

  async #stop(): Promise<void> {
    if (this.#stopping) return;
    this.#stopping = true;
    await this.#confirm();
    this.stream.stop();
  }
}
