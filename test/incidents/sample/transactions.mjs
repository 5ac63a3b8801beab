// From messages to whole transactions. A change counts when its transaction has committed, and not before: until then it
// is kept here, for ordinary, streamed and prepared transactions alike.
import { isUnchanged, ProtocolError } from './pgoutput.mjs';

/**
 * A transaction is { changes, endLsn }: in commit order, with the position to confirm.
 * A change is a message of kind insert, update, delete or truncate with the relations that it is about.
 */
export class Transactions {
  // What this connection announced: a new connection announces again.
  relations = new Map();
  #current = null;
  #block = null;
  streamed = new Map();

  /** @param prepared gid → changes. It outlives the connection: a confirmed PREPARE is not sent again. */
  constructor(prepared) {
    this.prepared = prepared;
  }

  /** Between Begin and Commit, or inside a stream block: what a keepalive says is no position to confirm. */
  get isInside() {
    return this.#current !== null || this.#block !== null;
  }

  /** @returns a transaction when this message ends one, else undefined */
  add(message) {
    const { endLsn } = message;
    switch (message.kind) {
      case 'begin':
      case 'beginPrepare':
        this.#expectOutside(message);
        this.#current = [];
        return;
      case 'commit':
        return { changes: this.#endCurrent(message), endLsn };
      case 'prepare':
        this.prepared.set(message.gid, this.#endCurrent(message));
        return { changes: [], endLsn };
      case 'commitPrepared':
        return { changes: take(this.prepared, message.gid), endLsn };
      case 'rollbackPrepared':
        take(this.prepared, message.gid);
        return { changes: [], endLsn };
      case 'streamStart':
        this.#expectOutside(message);
        if (message.isFirst) this.streamed.set(message.xid, []);
        this.#block = this.streamed.get(message.xid) ?? null;
        if (!this.#block) throw new ProtocolError(`a block of transaction ${message.xid}, whose first one is missing`);
        return;
      case 'streamStop':
        this.#block = null;
        return;
      case 'streamAbort':
        this.abort(message);
        return;
      case 'streamCommit':
        return { changes: take(this.streamed, message.xid), endLsn };
      case 'streamPrepare':
        this.prepared.set(message.gid, take(this.streamed, message.xid));
        return { changes: [], endLsn };
      case 'relation':
        this.relations.set(message.relation.oid, message.relation);
        return;
      case 'origin':
      case 'type':
      case 'message':
        return;
      case 'truncate':
        this.#change({ ...message, relations: message.relationOids.map((oid) => this.#relation(oid)) });
        return;
      default:
        this.#change(this.#described(message));
    }
  }

  /** A savepoint was rolled back, or all of a transaction: xid and subxid say which. */
  abort({ xid, subxid }) {
    if (subxid === xid) {
      this.streamed.delete(xid);
    } else {
      const changes = this.streamed.get(xid) ?? [];
      this.streamed.set(
        xid,
        changes.filter((change) => change.xid !== subxid),
      );
    }
  }

  #expectOutside({ kind }) {
    if (this.isInside) throw new ProtocolError(`${kind} inside a transaction`);
  }

  #change(change) {
    const changes = this.#block ?? this.#current;
    if (!changes) throw new ProtocolError(`${change.kind} outside a transaction`);
    changes.push(change);
  }

  #described(message) {
    const relation = this.#relation(message.relationOid);
    for (const tuple of [message.newTuple, message.old?.tuple]) {
      if (tuple && tuple.length !== relation.columns.length) {
        throw new ProtocolError(`${tuple.length} values for ${relation.columns.length} columns of ${relation.name}`);
      }
    }
    return { ...message, relation, newTuple: this.completed(message) };
  }

  /** Under FULL the old row has the values that the new one leaves out as unchanged. */
  completed({ newTuple, old }) {
    if (old?.marker !== 'O') return newTuple;
    return newTuple?.map((cell, index) => (isUnchanged(cell) ? old.tuple[index] : cell));
  }

  #relation(oid) {
    const relation = this.relations.get(oid);
    if (!relation) throw new ProtocolError(`a change of relation ${oid}, which was not announced`);
    return relation;
  }

  #endCurrent({ kind }) {
    const changes = this.#current;
    if (!changes) throw new ProtocolError(`${kind} without a begin`);
    this.#current = null;
    return changes;
  }
}

function take(changesOf, key) {
  const changes = changesOf.get(key) ?? [];
  changesOf.delete(key);
  return changes;
}
