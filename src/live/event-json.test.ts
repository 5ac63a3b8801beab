import { describe, expect, it } from '@jest/globals';
import { eventToJson } from './event-json.js';
import type { LiveEvent } from './events.js';

describe('an event as JSON', () => {
  it('tells positions, times and distances apart', () => {
    const step = { kind: 'keepalive', replyRequested: false, walEnd: { bytes: -8n }, time: 1_000_000n } as const;
    const event: LiveEvent = { kind: 'fault', pid: 1, slot: 's', step, lsn: 0x150_0000n, did: 'sent', time: 0n };
    expect(eventToJson(event)).toEqual({
      kind: 'fault',
      pid: 1,
      slot: 's',
      step: {
        kind: 'keepalive',
        replyRequested: false,
        walEnd: { bytes: -8 },
        time: '2000-01-01T00:00:01.000000Z',
      },
      lsn: '0/1500000',
      did: 'sent',
      time: '2000-01-01T00:00:00.000000Z',
    });
  });
});
