import { describe, expect, it } from '@jest/globals';
import { HandlerStore } from './handler-store.js';
import { query } from './query-handler.js';
import { scenario } from './scenario-handler.js';

const first = query('first', () => undefined);
const second = query('second', () => undefined);
const third = query('third', () => undefined);

describe('HandlerStore', () => {
  it('asks what was added last first, and comes back to the initial ones', () => {
    const store = new HandlerStore([first]);
    store.use([second]);
    store.use([third]);
    expect(store.list).toEqual([third, second, first]);
    store.reset([]);
    expect(store.list).toEqual([first]);
    store.reset([second, third]);
    expect(store.list).toEqual([second, third]);
    store.use([first]);
    store.reset([]);
    expect(store.list).toEqual([second, third]);
  });

  it('forgets who has answered only when it is told to', async () => {
    const once = query('once', () => query.rows([]), { once: true });
    const store = new HandlerStore([once]);
    await store.useOf(once).ask(once, undefined as never);
    store.reset([]);
    expect(store.useOf(once).used).toBe(true);
    store.restore();
    expect(store.useOf(once).used).toBe(false);
    await store.useOf(once).ask(once, undefined as never);
    store.restart();
    expect(store.useOf(once).used).toBe(false);
  });

  it('serves the scenarios of the latest layer that has some', () => {
    const [one, two] = [scenario('scenario: one\n'), scenario('scenario: two\n')];
    const store = new HandlerStore([one, first]);
    const initial = store.scenarios;
    expect(initial).toEqual([one, first]);
    store.use([two]);
    store.use([second]);
    expect(store.scenarios).toEqual([two]);
    store.reset([]);
    expect(store.scenarios).toBe(initial);
    expect(new HandlerStore([first]).scenarios).toBe(new HandlerStore([]).scenarios);
  });
});
