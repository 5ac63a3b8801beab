import { describe, expect, it } from '@jest/globals';
import type { Piece } from '../pieces.js';
import { mostLanes, placeInLanes } from './lanes.js';

/** Transactions by number, one for each piece; 0 stands outside of them. */
function lanes(...transactions: readonly number[]): string[] {
  const pieces = transactions.map((transaction): Piece => ({
    xid: transaction,
    transaction,
    title: '',
    detail: '',
    ends: false,
  }));
  return placeInLanes(pieces).map(({ lane, continues: { before, after }, passing }) => {
    return `${before ? '>' : ''}${lane}${after ? '>' : ''} ${passing.join(',')}`.trim();
  });
}

describe('placeInLanes', () => {
  it('draws transactions that follow each other in one lane', () => {
    expect(lanes(1, 2, 3)).toEqual(['0', '0', '0']);
  });

  it('draws transactions that are open at once side by side, each in its lane to its end', () => {
    //             1   2      1     3      2        1   4
    expect(lanes(1, 2, 1, 3, 2, 1, 4)).toEqual(['0>', '1> 0', '>0> 1', '2 0,1', '>1 0', '>0', '0']);
  });

  it('keeps what stands outside of transactions out of their lanes', () => {
    expect(lanes(1, 0, 1, 0, 0)).toEqual(['0>', '1 0', '>0', '0', '0']);
  });

  it('lets the last lane be shared when there are too many', () => {
    const many = Array.from({ length: 12 }, (_, i) => i + 1);
    const places = placeInLanes(
      [...many, ...many].map((transaction) => ({ xid: transaction, transaction, title: '', detail: '', ends: false })),
    );
    expect(Math.max(...places.map(({ lane }) => lane))).toBe(mostLanes - 1);
  });
});
