import { describe, expect, it } from '@jest/globals';
import { Injections, type Injection } from './injections.js';

const step = { kind: 'disconnect', how: 'close' } as const;

describe('Injections', () => {
  it('ends who waits when the server ends, and who comes after', async () => {
    const injections = new Injections();
    const before = injections.inject(step, undefined, []);
    injections.cancel();
    expect(await before).toEqual([]);
    expect(await injections.inject(step, undefined, [])).toEqual([]);
  });

  it('ends what a stream gives back once the server has ended', async () => {
    const injections = new Injections();
    const taken: Injection[] = [];
    const stream = { slot: { name: 's' }, inject: (injection: Injection) => void taken.push(injection) };
    const outcome = injections.inject(step, 's', [stream]);
    injections.cancel();
    taken[0]!.giveBack(taken[0]!);
    expect(await outcome).toEqual([]);
  });
});
