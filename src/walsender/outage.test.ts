import { describe, expect, it } from '@jest/globals';
import { Outage } from './outage.js';

const refusalOf = (outage: Outage, now: number): string | undefined => outage.refusal(now)?.message;

describe('an outage', () => {
  it('lets nobody in before the last session has left and the time is over', () => {
    const outage = new Outage();
    expect(refusalOf(outage, 0)).toBeUndefined();
    const session = { ended: false };
    outage.begin(100, [session]);
    expect(refusalOf(outage, 200)).toBe('the database system is shutting down');
    session.ended = true;
    expect(refusalOf(outage, 99)).toBe('the database system is starting up');
    expect(refusalOf(outage, 100)).toBeUndefined();
  });

  it('goes on when another one begins', () => {
    const outage = new Outage();
    outage.begin(100, [{ ended: false }]);
    outage.begin(50, []);
    expect(refusalOf(outage, 200)).toBe('the database system is shutting down');
  });
});
