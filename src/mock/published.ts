/** Where in WAL things stand that were published. */
import type { TimelineEvent } from '../timeline/timeline.js';
import { parseLsn } from '../values/lsn.js';

/** An LSN, or its text: `0/16B3748`. */
export type LsnLike = bigint | string;

/** @throws SyntaxError for a text that is no LSN */
export function lsnOf(lsn: LsnLike): bigint {
  return typeof lsn === 'bigint' ? lsn : parseLsn(lsn);
}

/** Where it stands in WAL. Of what has no commit record, start and end of what it does have. */
export interface Published {
  /** 0 where there is none. */
  readonly xid: number;
  /** Start of the commit record: what Begin and Commit carry. */
  readonly commitLsn: bigint;
  /** Its end: what a client confirms that has all of it. */
  readonly endLsn: bigint;
}

export function placeOf(event: TimelineEvent): Published {
  switch (event.kind) {
    case 'transaction':
    case 'end': {
      const { xid, end } = event.transaction;
      if (end === null) throw new TypeError('the transaction has no end');
      if (end.kind === 'abort') return { xid, commitLsn: end.abortLsn, endLsn: end.abortLsn };
      return { xid, commitLsn: end.kind === 'commit' ? end.commitLsn : end.prepareLsn, endLsn: end.endLsn };
    }
    case 'prepared':
      return { xid: event.transaction.xid, commitLsn: event.outcome.lsn, endLsn: event.outcome.endLsn };
    case 'message':
      return { xid: 0, commitLsn: event.message.lsn, endLsn: event.message.lsn };
    case 'block':
      return { xid: event.transaction.xid, commitLsn: event.firstLsn, endLsn: event.lastLsn };
    case 'step':
    case 'invalidation':
      return { xid: 0, commitLsn: event.lsn, endLsn: event.lsn };
  }
}
