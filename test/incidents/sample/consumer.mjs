// Follows one slot and keeps a Store up to date, whatever happens to the connection, the server or the slot.
//
//   connect → find the slot, or make one and copy the tables → stream ⟲ … → connection lost → wait → connect …
import { setTimeout as delay } from 'node:timers/promises';
import { ReplicationConnection } from './connection.mjs';
import { formatLsn, parseLsn } from './lsn.mjs';
import { PgoutputReader } from './pgoutput.mjs';
import { createSlotAndCopy, quoteIdentifier, quoteLiteral } from './snapshot.mjs';
import { Transactions } from './transactions.mjs';

/** Trying again does not help: no such user, wrong password, no such database, not allowed. */
const hopeless = /^(28|3D|42501)/;

export class Consumer {
  /** Attempts in a row without any progress before it gives up. */
  patience = 8;
  stopping = new AbortController();
  connection = null;
  #streamed = null;
  #flushTimer = null;
  confirmed = null;

  /** @param timeout of a connection on which nothing comes, if the server has none; milliseconds */
  constructor({ url, slot, publication, store, timeout = 10_000, log = console.error }) {
    Object.assign(this, { url, slot, publication, store, timeout, log });
  }

  /** Runs until `stop`. @throws when it gives up, and why */
  async run() {
    for (let failures = 0; !this.stopped; failures++) {
      const before = this.store.position;
      const error = await this.session();
      if (this.stopped) return;
      this.log(describe(error));
      // What is received but not yet durable is kept: the connection is lost, the process is not.
      if (this.store.position !== before) failures = 0;
      if (!this.isWorthAnotherTry(error, failures)) throw error;
      await delay(this.backoff(failures), undefined, { signal: this.stopping.signal }).catch(() => {});
    }
  }

  get stopped() {
    return this.stopping.signal.aborted;
  }

  isWorthAnotherTry({ code = '', message }, failures) {
    // The stream looks publications up as of the slot's position, where it will never be there.
    if (code === '42704' && message.includes('publication')) {
      this.log(`create the publication, then a new slot: ${this.slot} is older`);
      return false;
    }
    return failures < this.patience && !hopeless.test(code);
  }

  /** Milliseconds. */
  backoff(failures) {
    return Math.min(100 * 2 ** failures, 5_000);
  }

  /** Makes durable and confirms what it has, and leaves in order. */
  async stop() {
    this.stopping.abort();
    if (this.#streamed === null) return;
    this.flush();
    await this.connection.endStream(this.#streamed);
  }

  /** One connection, from its start to its end. @returns why it ended */
  async session() {
    try {
      this.connection = await this.connect();
      await this.findPosition();
      await this.follow();
      return new Error('the server ended the stream');
    } catch (error) {
      return error;
    } finally {
      clearTimeout(this.#flushTimer);
      this.#flushTimer = null;
      this.#streamed = null;
      await this.connection?.close();
      this.connection = null;
    }
  }

  /** @param options more of pg's own */
  connect(options = {}) {
    const onNotice = (notice) => this.log(describe(notice));
    return ReplicationConnection.open(this.url, { onNotice, ...options });
  }

  /** Compares what is stored with what the slot can still give. A gap is told, and closed by a new copy. */
  async findPosition() {
    const { connection, store } = this;
    const [{ systemid }] = await connection.query('IDENTIFY_SYSTEM');
    const [version] = await connection.query('SHOW server_version_num');
    this.major = Math.trunc(Number(version.server_version_num) / 10_000);
    await this.agreeOnTimeout();

    let slot = await this.readSlot();
    if (slot && store.position === null) {
      // Made by somebody else: there is no telling what came before.
      store.replace(systemid, slot.position, new Map());
    }
    const gap = this.gap(systemid, slot);
    if (!gap) return;
    if (store.position !== null) this.log(`${gap}: the tables are copied again`);
    if (slot) await connection.query(`DROP_REPLICATION_SLOT ${quoteIdentifier(this.slot)}`);
    const { position, tables } = await createSlotAndCopy(connection, this);
    // It was there after all: its own position counts.
    slot = position === null ? await this.readSlot() : { position };
    store.replace(systemid, slot.position, tables);
    this.flush();
  }

  /** Why the slot cannot go on from what is stored; undefined when it can. */
  gap(systemId, slot) {
    const { store } = this;
    if (!slot) return `slot ${this.slot} does not exist`;
    if (slot.isLost) return `slot ${this.slot} was invalidated`;
    if (store.systemId !== systemId) return `system ${systemId} is not the one that was replicated`;
    if (slot.position > store.position) return `slot ${this.slot} was moved on to ${formatLsn(slot.position)}`;
  }

  async readSlot() {
    const status = this.major >= 13 ? ', wal_status' : '';
    const from = `FROM pg_replication_slots WHERE slot_name = ${quoteLiteral(this.slot)}`;
    const [row] = await this.connection.query(`SELECT confirmed_flush_lsn${status} ${from}`);
    if (!row) return undefined;
    const isLost = row.wal_status === 'lost';
    if (!row.confirmed_flush_lsn && !isLost) throw new Error(`slot ${this.slot} has no position yet`);
    return { position: isLost ? null : parseLsn(row.confirmed_flush_lsn), isLost };
  }

  /** The server ends a connection that is silent for so long; the same holds the other way round. */
  async agreeOnTimeout() {
    const query = "SELECT setting FROM pg_settings WHERE name = 'wal_sender_timeout'";
    const [{ setting }] = await this.connection.query(query);
    if (setting !== '0') {
      this.timeout = Number(setting);
      return;
    }
    // Without one, a connection that is cut off keeps the slot for ever.
    if (this.major >= 12) await this.connection.query(`SET wal_sender_timeout = '${this.timeout}ms'`);
  }

  async follow() {
    const { connection, store } = this;
    this.reader = this.createReader();
    this.transactions = this.createTransactions();
    this.confirmed = store.position;
    // Feedback comes from a timer of its own, also in the middle of a long transaction.
    const timer = setInterval(() => this.tick(), this.timeout / 5);
    try {
      this.#streamed = connection.stream(this.startCommand(), (frame) => this.receive(frame));
      await this.#streamed;
    } finally {
      clearInterval(timer);
    }
  }

  startCommand() {
    const start = `START_REPLICATION SLOT ${quoteIdentifier(this.slot)} LOGICAL ${formatLsn(this.store.position)}`;
    return `${start} (${this.options()})`;
  }

  createReader() {
    return new PgoutputReader();
  }

  createTransactions() {
    return new Transactions(this.store.prepared);
  }

  /** What the server's version offers. */
  options() {
    // A publication's name is an identifier within a literal: unquoted it would be folded to lower case.
    const options = [`publication_names ${quoteLiteral(quoteIdentifier(this.publication))}`];
    if (this.major >= 16) options.push("proto_version '4'", "streaming 'parallel'");
    else if (this.major >= 14) options.push("proto_version '2'", "streaming 'on'");
    else options.push("proto_version '1'");
    if (this.major >= 14) options.push("messages 'true'");
    return options.join(', ');
  }

  receive(frame) {
    if (frame.kind === 'data') this.receiveData(frame);
    else this.receiveKeepalive(frame);
  }

  receiveData({ payload, walStart }) {
    const message = this.reader.read(payload);
    const transaction = this.transactions.add(message);
    if (transaction) {
      this.store.apply(transaction);
      this.flushSoon();
    } else if (message.kind === 'message' && !this.transactions.isInside) {
      // No Commit follows that could be confirmed instead.
      this.store.advance(walStart);
      this.flushSoon();
    }
  }

  receiveKeepalive({ walEnd, replyRequested }) {
    // Nothing is on its way: all up to there was for others. It is confirmed, or the server keeps WAL for ever.
    if (!this.transactions.isInside) this.store.advance(walEnd);
    if (replyRequested) this.flush();
    else this.flushSoon();
  }

  /** Several transactions become durable at once. */
  flushSoon() {
    this.#flushTimer ??= setTimeout(() => this.flush(), 20);
  }

  /** First durable, then confirmed. */
  flush() {
    clearTimeout(this.#flushTimer);
    this.#flushTimer = null;
    this.persist();
    this.confirmed = this.store.position;
    this.confirm();
  }

  persist() {
    this.store.persist();
  }

  confirm(options) {
    if (this.#streamed !== null) this.connection.sendStatus(this.confirmed, options);
  }

  tick() {
    const silence = performance.now() - this.connection.lastReceived;
    if (silence > 2 * this.timeout) this.connection.fail(new Error('no sign of life from the server'));
    else this.confirm({ replyRequested: silence > this.timeout / 2 });
  }
}

/** What the server says, all of it: its code tells more than its text. */
function describe({ severity, code, message, detail, hint }) {
  const head = [severity, code].filter(Boolean).join(' ');
  const lines = [head === '' ? message : `${head}: ${message}`];
  if (detail) lines.push(`DETAIL: ${detail}`);
  if (hint) lines.push(`HINT: ${hint}`);
  return lines.join('\n');
}
