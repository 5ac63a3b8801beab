import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatTimestamp, parseTimestamp, timestampFromDate } from './timestamp.js';

const pairs: [bigint, string][] = [
  [0n, '2000-01-01T00:00:00.000000Z'],
  [-1n, '1999-12-31T23:59:59.999999Z'],
  [820_454_400_000_001n, '2025-12-31T00:00:00.000001Z'],
  [5_097_600_000_000n, '2000-02-29T00:00:00.000000Z'],
  [-946_684_800_000_000n, '1970-01-01T00:00:00.000000Z'],
  // The first and last time that 64 bits hold.
  [-(1n << 63n), '-290278-12-22T19:59:05.224192Z'],
  [(1n << 63n) - 1n, '+294277-01-09T04:00:54.775807Z'],
];

describe('formatTimestamp and parseTimestamp', () => {
  it.each(pairs)('%s is %s', (time, text) => {
    expect(formatTimestamp(time)).toBe(text);
    expect(parseTimestamp(text)).toBe(time);
  });

  it('are inverse over all 64 bits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }), (time) => {
        expect(parseTimestamp(formatTimestamp(time))).toBe(time);
      }),
    );
  });

  it('agree with Date where that reaches', () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true }), (date) => {
        expect(formatTimestamp(timestampFromDate(date))).toBe(date.toISOString().replace('Z', '000Z'));
      }),
    );
  });
});

describe('parseTimestamp', () => {
  it.each([
    ['2026-01-01T00:00Z', '2026-01-01T00:00:00.000000Z'],
    ['2026-01-01 00:00:00z', '2026-01-01T00:00:00.000000Z'],
    ['2026-01-01T00:00:00.5+02:00', '2025-12-31T22:00:00.500000Z'],
    ['2026-01-01T00:00:00-0330', '2026-01-01T03:30:00.000000Z'],
    ['2026-01-01T00:00:00+01', '2025-12-31T23:00:00.000000Z'],
  ])('reads %s', (text, canonical) => {
    expect(formatTimestamp(parseTimestamp(text))).toBe(canonical);
  });

  it.each([
    '2026-01-01',
    '2026-01-01T00:00:00',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:00.1234567Z',
    '26-01-01T00:00:00Z',
    'now',
  ])('refuses %s', (text) => {
    expect(() => parseTimestamp(text)).toThrow(SyntaxError);
  });
});
