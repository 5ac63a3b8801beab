/** Which lane of the timeline each piece of a transaction is drawn in: transactions that are open at once lie side by side. */
import type { Piece } from '../pieces.js';

export interface Placed {
  readonly lane: number;
  /** The transaction has pieces before this one; after it. */
  readonly continues: { readonly before: boolean; readonly after: boolean };
  /** Lanes of other transactions that are open here. */
  readonly passing: readonly number[];
}

/** As many as can be told apart; more transactions at once share the last one. */
export const mostLanes = 8;

/** One result for each piece, in order. A transaction keeps its lane from its first piece to its last. */
export function placeInLanes(pieces: readonly Piece[]): Placed[] {
  const first = new Map<number, number>();
  const last = new Map<number, number>();
  pieces.forEach(({ transaction }, i) => {
    if (!first.has(transaction)) first.set(transaction, i);
    last.set(transaction, i);
  });
  /** Transactions by lane. */
  const lanes: (number | null)[] = [];
  return pieces.map(({ transaction }, i) => {
    const alone = transaction === 0;
    let lane = alone ? -1 : lanes.indexOf(transaction);
    if (lane < 0) {
      const free = lanes.indexOf(null);
      lane = free < 0 ? lanes.length : free;
    }
    const ends = alone || last.get(transaction) === i;
    lanes[lane] = transaction;
    const passing = lanes.flatMap((other, at) => (other === null || at === lane ? [] : [Math.min(at, mostLanes - 1)]));
    if (ends) lanes[lane] = null;
    const before = !alone && first.get(transaction) !== i;
    return { lane: Math.min(lane, mostLanes - 1), continues: { before, after: !ends }, passing };
  });
}
