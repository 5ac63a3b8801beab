/**
 * A stream as pieces of transactions: a plain one is one piece, a streamed one has a piece for each block and one for
 * its end, a prepared one one up to PREPARE and one for its outcome. What stands outside of transactions is a piece each.
 */
import type { Message } from '../pgoutput/messages.js';
import { formatTimestamp } from '../values/timestamp.js';
import type { ExplainedMessage } from './explained-message.js';

export interface Piece {
  /** Null outside of transactions. */
  readonly xid: number | null;
  /** Tells transactions apart, also where an xid is used again; 0 outside of them. */
  readonly transaction: number;
  readonly title: string;
  /** `streamed block 2`, `committed 2026-01-01T00:00:00.000000Z`. */
  readonly detail: string;
  /** It ends the transaction: none of its pieces follows. */
  readonly ends: boolean;
}

interface Open {
  readonly transaction: number;
  blocks: number;
}

/**
 * Follows the messages of a stream.
 *
 *   between ──Begin, Begin Prepare, Stream Start──→ in a piece ──Commit, Prepare, Stream Stop──→ between
 *           ──any other message: a piece of its own──→ between
 */
export class PieceTracker {
  /** By xid, the transactions that have begun and not ended. */
  readonly #open = new Map<number, Open>();
  #transactions = 0;
  #current: Piece | null = null;

  /** The piece that the message belongs to: the same object for all messages of a piece. */
  follow({ message, xid }: ExplainedMessage): Piece {
    // Bytes that are no message belong to where they stand.
    if (this.#current !== null && (message === null || this.#current.xid === xid)) {
      const piece = this.#current;
      if (message !== null && closing.has(message.kind)) this.#current = null;
      return piece;
    }
    const piece = this.#begin(message, xid);
    this.#current = message !== null && opening.has(message.kind) ? piece : null;
    return piece;
  }

  #begin(message: Message | null, xid: number | null): Piece {
    if (xid === null) return { xid, transaction: 0, title: 'Outside of transactions', detail: '', ends: true };
    let open = this.#open.get(xid);
    if (open === undefined) {
      open = { transaction: ++this.#transactions, blocks: 0 };
      this.#open.set(xid, open);
    }
    if (message?.kind === 'streamStart') open.blocks++;
    const ends = message !== null && endsTransaction(message);
    if (ends) this.#open.delete(xid);
    const detail = message === null ? '' : detailOf(message, open.blocks);
    return { xid, transaction: open.transaction, title: `Transaction ${xid}`, detail, ends };
  }
}

const opening: ReadonlySet<string> = new Set(['begin', 'beginPrepare', 'streamStart']);
const closing: ReadonlySet<string> = new Set(['commit', 'prepare', 'streamStop']);

/** @param message - the piece's first one */
function endsTransaction(message: Message): boolean {
  switch (message.kind) {
    case 'begin':
    case 'streamCommit':
    case 'commitPrepared':
    case 'rollbackPrepared':
      return true;
    case 'streamAbort':
      return message.subxid === message.xid;
    default:
      return false;
  }
}

/** @param message - the piece's first one */
function detailOf(message: Message, blocks: number): string {
  switch (message.kind) {
    case 'begin':
      return `committed ${formatTimestamp(message.commitTime)}`;
    case 'beginPrepare':
      return `prepared ${formatTimestamp(message.prepareTime)}`;
    case 'streamStart':
      return `streamed block ${blocks}`;
    case 'streamCommit':
      return `streamed, committed ${formatTimestamp(message.commitTime)}`;
    case 'streamPrepare':
      return `streamed, prepared ${formatTimestamp(message.prepareTime)}`;
    case 'streamAbort':
      return message.subxid === message.xid ? 'streamed, rolled back' : `subtransaction ${message.subxid} rolled back`;
    case 'commitPrepared':
      return `prepared, committed ${formatTimestamp(message.commitTime)}`;
    case 'rollbackPrepared':
      return `prepared, rolled back ${formatTimestamp(message.rollbackTime)}`;
    default:
      return '';
  }
}
