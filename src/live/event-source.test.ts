import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { EventSource } from './event-source.js';
import type { LiveEvent } from './events.js';

const event: LiveEvent = { kind: 'disconnect', pid: 1, reason: 'client closed', time: 0n };

afterEach(() => void jest.restoreAllMocks());

describe('EventSource', () => {
  it('refuses to listen for what never comes', () => {
    expect(() => new EventSource().on('feedbak' as 'feedback', () => undefined)).toThrow(
      /^there are no events "feedbak": there are connection, /,
    );
  });

  it('lets a listener that throws harm nobody, and does not hide what it threw', () => {
    const later: (() => void)[] = [];
    jest.spyOn(globalThis, 'setImmediate').mockImplementation(((act: () => void) => later.push(act)) as never);
    const events = new EventSource();
    const heard: string[] = [];
    events.on('disconnect', () => {
      throw new Error('mine');
    });
    events.on('disconnect', ({ reason }) => heard.push(reason));
    events.on('*', ({ kind }) => heard.push(kind));
    events.emit(event);
    expect(heard).toEqual(['client closed', 'disconnect']);
    expect(later).toHaveLength(1);
    expect(later[0]).toThrow('mine');
  });
});
