/**
 * pgoutput: decoded changes → messages, for one connection. It is called as the server calls the plugin (begin, change,
 * truncate, message, commit, and the same for prepared and streamed transactions), and remembers what the client has.
 */
import type { Message, OldTuple, Relation, Tuple, Type } from '../pgoutput/messages.js';
import { qualifiedName } from '../postgres/identifier.js';
import { ValueError } from '../postgres/pg-type.js';
import { formatLsn } from '../values/lsn.js';
import { WireError, type WireErrorFields } from '../values/wire-error.js';
import type { Catalog, RowFilter, Table } from './catalog.js';
import type { Row } from './datum.js';
import type { EmitSession, EmitSink } from './emitter.js';
import { RelationCache, schemaMessages, type RelationEntry } from './relation-cache.js';
import { loggedByDelete, loggedByUpdate, type LoggedOldRow } from './replica-identity.js';
import type {
  AnnounceChange,
  DeleteChange,
  InsertChange,
  MessageChange,
  OriginMark,
  TruncateChange,
  UpdateChange,
} from './timeline.js';

/** A transaction as the plugin is told of it. */
export interface PluginTransaction {
  readonly xid: number;
  readonly origin: OriginMark | null;
  /** XLogData's send time. */
  readonly time: bigint;
  /** Start of the transaction's first record. */
  readonly firstLsn: bigint;
  /** Start and end of the record that ends it; 0n in a stream block. */
  readonly finalLsn: bigint;
  readonly endLsn: bigint;
  /** The commit time that the client is told. */
  readonly commitTime: bigint;
  /** Begin is out, or there is none (streamed and prepared transactions). */
  begun: boolean;
}

type RowChange = InsertChange | UpdateChange | DeleteChange;

export class OutputPlugin {
  readonly cache: RelationCache;
  readonly #major: number;
  #transaction!: PluginTransaction;
  #catalog!: Catalog;
  #inStream = false;
  /** For errors: what the server was about. */
  #callback = '';
  #lsn = 0n;

  constructor(
    private readonly session: EmitSession,
    private readonly sink: EmitSink,
  ) {
    this.#major = session.settings.major;
    this.cache = new RelationCache({
      major: this.#major,
      publicationNames: session.options.publicationNames,
      format: {
        binary: session.options.binary,
        settings: { ...session.settings, oidOf: (type, name) => oidOf(type, name, this.#catalog) },
      },
      fail: (error) => this.#fail(error),
      warn: (error) => sink.notice(new WireError({ ...error, where: this.#where() })),
    });
  }

  // Plain transactions.

  /** From 15 on Begin waits for the first message: a transaction that has none is not sent at all. */
  begin(transaction: PluginTransaction): void {
    this.#transaction = transaction;
    if (this.#major < 15) this.#sendBegin(transaction.firstLsn);
  }

  #sendBegin(lsn: bigint): void {
    const { finalLsn, commitTime, xid } = this.#transaction;
    this.#transaction.begun = true;
    this.#openWith({ kind: 'begin', finalLsn, commitTime, xid }, lsn, this.#transaction.origin?.lsn ?? 0n);
  }

  /** @returns false when nothing was sent for the transaction */
  commit(): boolean {
    const { finalLsn, endLsn, commitTime, begun } = this.#transaction;
    if (begun) this.#send({ kind: 'commit', commitLsn: finalLsn, endLsn, commitTime }, endLsn);
    return begun;
  }

  // Two-phase transactions.

  beginPrepare(transaction: PluginTransaction, gid: string): void {
    this.#transaction = transaction;
    const { finalLsn, endLsn, commitTime, xid, firstLsn } = transaction;
    transaction.begun = true;
    this.#openWith(
      { kind: 'beginPrepare', prepareLsn: finalLsn, endLsn, prepareTime: commitTime, xid, gid },
      firstLsn,
      transaction.origin?.lsn ?? 0n,
    );
  }

  prepare(transaction: PluginTransaction, gid: string): void {
    this.#transaction = transaction;
    const { finalLsn, endLsn, commitTime, xid } = transaction;
    this.#send({ kind: 'prepare', prepareLsn: finalLsn, endLsn, prepareTime: commitTime, xid, gid }, endLsn);
  }

  commitPrepared(transaction: PluginTransaction, gid: string): void {
    this.#transaction = transaction;
    const { finalLsn, endLsn, commitTime, xid } = transaction;
    this.#send({ kind: 'commitPrepared', commitLsn: finalLsn, endLsn, commitTime, xid, gid }, endLsn);
  }

  /** @param prepared - the transaction as it was prepared */
  rollbackPrepared(transaction: PluginTransaction, prepared: PluginTransaction, gid: string): void {
    this.#transaction = transaction;
    const { endLsn, commitTime, xid } = transaction;
    this.#send(
      {
        kind: 'rollbackPrepared',
        prepareEndLsn: prepared.endLsn,
        rollbackEndLsn: endLsn,
        prepareTime: prepared.commitTime,
        rollbackTime: commitTime,
        xid,
        gid,
      },
      endLsn,
    );
  }

  // Streamed transactions.

  /** @param named - the change that it starts with carries an origin */
  streamStart(transaction: PluginTransaction, firstSegment: boolean, named: boolean, lsn: bigint): void {
    this.#transaction = transaction;
    transaction.begun = true;
    const start: Message = { kind: 'streamStart', xid: transaction.xid, firstSegment };
    // Only the first segment names the origin, and without its LSN: that comes with the commit.
    if (firstSegment && named) this.#openWith(start, lsn, 0n);
    else this.#send(start, lsn);
    this.#inStream = true;
  }

  streamStop(lsn: bigint): void {
    this.#inStream = false;
    this.#send({ kind: 'streamStop' }, lsn);
  }

  streamAbort(transaction: PluginTransaction, subxid: number, abortLsn: bigint, abortTime: bigint): void {
    this.#transaction = transaction;
    const { xid } = transaction;
    const parallel = this.session.options.streaming === 'parallel';
    this.#send(
      parallel ? { kind: 'streamAbort', xid, subxid, abortLsn, abortTime } : { kind: 'streamAbort', xid, subxid },
      abortLsn,
    );
    this.cache.streamEnded(xid, false);
  }

  streamCommit(transaction: PluginTransaction): void {
    this.#transaction = transaction;
    const { xid, finalLsn, endLsn, commitTime } = transaction;
    this.#send({ kind: 'streamCommit', xid, commitLsn: finalLsn, endLsn, commitTime }, endLsn);
    this.cache.streamEnded(xid, true);
  }

  streamPrepare(transaction: PluginTransaction, gid: string): void {
    this.#transaction = transaction;
    const { xid, finalLsn, endLsn, commitTime } = transaction;
    this.#send({ kind: 'streamPrepare', prepareLsn: finalLsn, endLsn, prepareTime: commitTime, xid, gid }, endLsn);
  }

  // Changes.

  /** @throws WireError where the server's plugin would raise an error: the stream ends with it */
  change(change: RowChange, catalog: Catalog): void {
    this.#enter('change', change.lsn);
    this.#catalog = catalog;
    const entry = this.cache.entry(change.table, catalog);
    if (!entry.publishing.actions[change.kind]) return;
    try {
      if (change.kind === 'insert') this.#insert(change, entry);
      else if (change.kind === 'update') this.#update(change, entry);
      else this.#delete(change, entry);
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
      this.#fail({ code: error.sqlState, message: error.message });
    }
  }

  #insert(change: InsertChange, entry: RelationEntry): void {
    const filters = entry.publishing.filters.insert;
    if (filters !== null && !passes(filters, entry, entry.plan.filterRow(change.new))) return;
    this.#beforeChange(change, change.table, entry);
    this.#sendInsert(change, entry, entry.plan.newTuple(change.new, null));
  }

  #update(change: UpdateChange, entry: RelationEntry): void {
    const { plan, target, publishing } = entry;
    const logged = loggedByUpdate(change);
    const filters = publishing.filters.update;
    if (filters !== null) {
      const newPasses = passes(filters, entry, plan.filterRow(change.new));
      const oldPasses =
        logged === 'nothing' ? newPasses : passes(filters, entry, oldFilterRow(entry, change.old!, logged));
      if (!oldPasses && !newPasses) return;
      if (oldPasses !== newPasses && logged !== 'nothing') {
        this.#beforeChange(change, change.table, entry);
        if (oldPasses) this.#sendDelete(change, entry, change.old!, logged);
        else this.#sendInsert(change, entry, plan.filledTuple(change.new, change.old!, logged));
        return;
      }
    }
    this.#beforeChange(change, change.table, entry);
    const oldTuple = logged === 'nothing' ? null : oldTupleOf(entry, change.old!, logged);
    const newTuple = plan.newTuple(change.new, change.old);
    this.#send(
      this.#inStream
        ? { kind: 'update', relationId: target.oid, oldTuple, newTuple, xid: change.xid }
        : { kind: 'update', relationId: target.oid, oldTuple, newTuple },
      change.lsn,
    );
  }

  #delete(change: DeleteChange, entry: RelationEntry): void {
    const logged = loggedByDelete(change);
    if (logged === 'nothing') {
      // No old row in WAL: nothing to send, and yet older plugins have sent the Relation by the time they notice.
      if (this.#major < 15) this.#beforeChange(change, change.table, entry);
      return;
    }
    const filters = entry.publishing.filters.delete;
    if (filters !== null && !passes(filters, entry, oldFilterRow(entry, change.old, logged))) return;
    this.#beforeChange(change, change.table, entry);
    this.#sendDelete(change, entry, change.old, logged);
  }

  #sendInsert(change: RowChange, { target }: RelationEntry, newTuple: Tuple): void {
    this.#send(
      this.#inStream
        ? { kind: 'insert', relationId: target.oid, newTuple, xid: change.xid }
        : { kind: 'insert', relationId: target.oid, newTuple },
      change.lsn,
    );
  }

  #sendDelete(change: RowChange, entry: RelationEntry, old: Row, logged: 'key' | 'full'): void {
    const relationId = entry.target.oid;
    const oldTuple = oldTupleOf(entry, old, logged);
    this.#send(
      this.#inStream
        ? { kind: 'delete', relationId, oldTuple, xid: change.xid }
        : { kind: 'delete', relationId, oldTuple },
      change.lsn,
    );
  }

  truncate(change: TruncateChange, catalog: Catalog): void {
    if (this.#major < 11) return;
    this.#enter('truncate', change.lsn);
    const relationIds: number[] = [];
    for (const table of change.tables) {
      const entry = this.cache.entry(table, catalog);
      if (!entry.publishing.actions.truncate) continue;
      // Published through an ancestor: the client hears of it when that one is truncated.
      if (table.partitionOf !== null && entry.target !== table) continue;
      relationIds.push(table.oid);
      this.#beforeChange(change, table, entry);
    }
    if (relationIds.length === 0) return;
    const { cascade, restartIdentity } = change;
    const message = { kind: 'truncate', relationIds, cascade, restartIdentity } as const;
    this.#send(this.#inStream ? { ...message, xid: change.xid } : message, change.lsn);
  }

  /** A transactional message. */
  message(change: MessageChange): void {
    if (!this.#wantsMessages) return;
    this.#enter('message', change.lsn);
    if (!this.#transaction.begun) this.#sendBegin(change.lsn);
    const { lsn, prefix, content } = change;
    const message = { kind: 'message', transactional: true, lsn, prefix, content } as const;
    this.#send(this.#inStream ? { ...message, xid: this.#transaction.xid } : message, lsn);
  }

  /** A non-transactional message stands outside transactions. */
  plainMessage({ lsn, prefix, content }: MessageChange, time: bigint): void {
    if (this.#wantsMessages) {
      this.sink.message({ kind: 'message', transactional: false, lsn, prefix, content }, lsn, time, 0);
    }
  }

  get #wantsMessages(): boolean {
    return this.session.options.messages && this.#major >= 14;
  }

  /** No server does this by itself: Relation once more, for tables that are published at all. */
  announce(change: AnnounceChange, catalog: Catalog): void {
    this.#enter('change', change.lsn);
    for (const table of change.tables) {
      const entry = this.cache.entry(table, catalog);
      const { actions } = entry.publishing;
      if (!actions.insert && !actions.update && !actions.delete && !actions.truncate) continue;
      if (!this.#transaction.begun) this.#sendBegin(change.lsn);
      this.#sendSchema(change.xid, table, entry);
    }
  }

  /** Begin and Relation, where the client has not got them yet. */
  #beforeChange(change: { readonly lsn: bigint; readonly xid: number }, table: Table, entry: RelationEntry): void {
    if (!this.#transaction.begun) this.#sendBegin(change.lsn);
    const sent = this.#inStream ? entry.streamedXids.includes(this.#transaction.xid) : entry.schemaSent;
    if (!sent) this.#sendSchema(change.xid, table, entry);
  }

  #sendSchema(xid: number, table: Table, entry: RelationEntry): void {
    const { target, publishing } = entry;
    if (target !== table) this.#sendRelation(xid, schemaMessages(target, publishing, this.#major));
    this.#sendRelation(xid, schemaMessages(table, publishing, this.#major));
    if (!this.#inStream) entry.schemaSent = true;
    else if (!entry.streamedXids.includes(this.#transaction.xid)) {
      entry.streamedXids = [...entry.streamedXids, this.#transaction.xid];
    }
  }

  /** Their header has no position, so that nobody takes it for progress. */
  #sendRelation(xid: number, messages: readonly (Type | Relation)[]): void {
    for (const message of messages) this.#send(this.#inStream ? { ...message, xid } : message, 0n);
  }

  #openWith(start: Message, lsn: bigint, originLsn: bigint): void {
    const { origin } = this.#transaction;
    // Of two messages in one write only the last carries the position.
    this.#send(start, origin === null ? lsn : 0n);
    if (origin !== null) this.#send({ kind: 'origin', commitLsn: originLsn, name: origin.name }, lsn);
  }

  #send(message: Message, lsn: bigint): void {
    const { time, xid } = this.#transaction;
    this.sink.message(message, lsn, time, xid);
  }

  // Errors.

  #enter(callback: string, lsn: bigint): void {
    this.#callback = callback;
    this.#lsn = lsn;
  }

  #fail(error: WireErrorFields): never {
    throw new WireError({ ...error, where: this.#where() });
  }

  #where(): string {
    const callback = this.#inStream ? `stream_${this.#callback}` : this.#callback;
    const lsn = formatLsn(this.#lsn, this.#major);
    return `slot "${this.session.slotName}", output plugin "pgoutput", in the ${callback} callback, associated LSN ${lsn}`;
  }
}

/** What a value of an object identifier type names, as its send function must know. */
function oidOf(type: string, name: string, { tables, types }: Catalog): number | undefined {
  const objects = type === 'regclass' ? tables : type === 'regtype' ? types : new Map<number, never>();
  for (const object of objects.values()) if (name === qualifiedName(object)) return object.oid;
  return undefined;
}

function passes(filters: readonly RowFilter[], { target }: RelationEntry, row: Row): boolean {
  return filters.some((filter) => filter.evaluate(row, target.columns) === true);
}

function oldFilterRow({ plan }: RelationEntry, old: Row, logged: LoggedOldRow): Row {
  return logged === 'full' ? plan.filterRow(old) : plan.filterKeyRow(old);
}

/** The marker is the published relation's, what was logged the changed one's: below a partition root they can differ. */
function oldTupleOf({ plan, target }: RelationEntry, old: Row, logged: 'key' | 'full'): OldTuple {
  const columns = logged === 'full' ? plan.oldTuple(old) : plan.keyTuple(old);
  return { marker: target.replicaIdentity === 'full' ? 'O' : 'K', columns };
}
