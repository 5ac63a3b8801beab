import { describe, expect, it } from '@jest/globals';
import { query } from './query-handler.js';
import { nearestHandler, unhandledMessage } from './unhandled.js';

const handlers = [
  query('SHOW wal_level', () => undefined),
  query(/from\s+pg_publication_tables/i, () => undefined),
  query(/select \* from orders where id = \$1/, () => undefined),
];

describe('nearestHandler', () => {
  it('is the one with most words in common, slips of a letter or two included', () => {
    expect(nearestHandler('SELECT * FROM pg_publication_table', handlers)?.title).toBe(
      'query(/from\\s+pg_publication_tables/i)',
    );
    expect(nearestHandler('show wal_levels', handlers)?.title).toBe('query("SHOW wal_level")');
    expect(nearestHandler('VACUUM', handlers)).toBeUndefined();
  });
});

describe('unhandledMessage', () => {
  it('shows what was asked, where the nearest handler stands, and one to paste', () => {
    const asked = {
      text: "SELECT 'a\\b'\nFROM pg_publication_tables(1)",
      reason: 'x is not emulated',
      user: 'u',
      database: 'd',
    };
    const message = unhandledMessage(asked, handlers);
    expect(message).toMatch(/pg_publication_tables\/i\) at src\/mock\/unhandled\.test\.ts:7:8, which does not fit/);
    expect(message).toContain("query(`SELECT 'a\\\\b'\n  FROM pg_publication_tables(1)`, () => query.rows(");
    expect(message).toContain('(x is not emulated; user u, database d)');
  });
});
