import { describe, expect, it } from '@jest/globals';
import { readScenario, requireScenario } from '../scenario/index.js';
import { createLiveServer, VirtualClock } from './index.js';

const scenarioText = (version: number): string => `
scenario: Waits
server: { version: ${version}, lsn: 0/1500000 }
tables: { t: { columns: { id: int primary key } } }
slots: { s: { plugin: pgoutput } }
stream:
  - { insert: t, row: { id: 1 } }
  - wait: 1h
  - transaction:
      changes:
        - { insert: t, row: { id: 2 } }
        - wait: 1h
        - { insert: t, row: { id: 3 } }
  - label: three
  - wait_for: { flushed: three, slot: s, within: 1h }
  - { insert: t, row: { id: 4 } }
`;

describe('WalWriter', () => {
  it.each([10, 18])('lets the time of the stream go by without a client, as %s', async (version) => {
    const scenario = requireScenario(readScenario(scenarioText(version)));
    const clock = new VirtualClock();
    clock.pause();
    const server = await createLiveServer({ scenarios: [scenario], clock, startNow: true });
    const rows = (): number => {
      const database = server.server.cluster.mainDatabase;
      const [table] = database.timeline.tablesAt(database.writtenLsn).values();
      return table!.length;
    };
    await server.start();
    try {
      expect(rows()).toBe(1);
      await clock.advance('59min');
      expect(rows()).toBe(1);
      await clock.advance('1min');
      expect(rows()).toBe(1);
      await clock.advance('1h');
      expect(rows()).toBe(3);
      const { slots } = server.server.cluster;
      slots.confirm(slots.get('s'), server.labels.get('three')!);
      await clock.advance(0);
      expect(rows()).toBe(4);
      // What is written by hand counts as well.
      server.publishStep('{ insert: t, row: { id: 5 } }');
      await clock.advance(0);
      expect(rows()).toBe(5);

      server.reset();
      expect(rows()).toBe(1);
      await clock.advance('2h');
      expect(rows()).toBe(3);
      await clock.advance('1h');
      expect(rows()).toBe(4);
    } finally {
      await server.close();
    }
  });
});
