import type { Message } from './messages.js';

/** Follows a session's messages: which transaction each belongs to, and what can be confirmed after it. */
export class TransactionTracker {
  #xid: number | null = null;

  /** True between Begin and Commit, Begin Prepare and Prepare, Stream Start and Stream Stop. */
  get inTransaction(): boolean {
    return this.#xid !== null;
  }

  /** The top-level xid that the message belongs to; null outside a transaction. To be called once for each message, in order. */
  follow(message: Message): number | null {
    switch (message.kind) {
      case 'begin':
      case 'beginPrepare':
      case 'streamStart':
        return (this.#xid = message.xid);
      case 'commit':
      case 'prepare':
      case 'streamStop': {
        const xid = this.#xid;
        this.#xid = null;
        return xid;
      }
      case 'streamCommit':
      case 'streamAbort':
      case 'streamPrepare':
      case 'commitPrepared':
      case 'rollbackPrepared':
        return message.xid;
      default:
        return this.#xid;
    }
  }
}

/**
 * The position that a consumer may confirm once it has dealt with everything up to this message; undefined for messages
 * after which it may not. A streamed block is not dealt with before its transaction's end.
 */
export function confirmableLsn(message: Message): bigint | undefined {
  switch (message.kind) {
    case 'commit':
    case 'streamCommit':
    case 'prepare':
    case 'streamPrepare':
    case 'commitPrepared':
      return message.endLsn;
    case 'rollbackPrepared':
      return message.rollbackEndLsn;
    case 'message':
      return message.transactional ? undefined : message.lsn;
    default:
      return undefined;
  }
}
