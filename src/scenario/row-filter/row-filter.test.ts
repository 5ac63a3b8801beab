/** Against what a real server made of the same filters and rows (scripts/record-row-filters.mjs). */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { enumType, parseTypeName, type TypeScope } from '../../postgres/index.js';
import type { Column } from '../../timeline/catalog.js';
import { compileRowFilter } from './row-filter.js';
import { RowFilterError } from './tokens.js';

type Outcome = readonly (string | null)[] | { readonly error: string; readonly message: string };

const recorded = JSON.parse(readFileSync(`${import.meta.dirname}/../../../test/scenario/row-filters.json`, 'utf8')) as {
  readonly columns: Readonly<Record<string, string>>;
  readonly rows: readonly (readonly (string | null)[])[];
  readonly filters: readonly (readonly [string, Outcome])[];
};

const mood = enumType({ oid: 16_400, namespace: 'public', name: 'mood' }, ['sad', 'ok', 'happy']);
const scope: TypeScope = {
  find: (_, name) => (name === 'mood' ? mood : undefined),
  arrayOf: () => undefined,
  names: () => [],
};

const columns = Object.entries(recorded.columns).map<Column>(([name, typeName]) => {
  const { type, typeModifier } = parseTypeName(typeName, 18, scope);
  return { name, type, typeModifier, notNull: false, generated: null, identity: false };
});

/** What a server takes and this does not: refused with a clear error, which the test checks. */
const notSupported = new Set([
  'ts::date = d',
  'n::int = 10',
  'id / 2 = 1',
  "s || 'x' = 'abcx'",
  "s ~ '^a'",
  'id !~ 1',
  'random() > 0.5',
  'now() > ts',
  'id = (SELECT 1)',
  "id::text = '1'",
]);

describe('a row filter', () => {
  it.each(recorded.filters)('%s', (filter, outcome) => {
    if (notSupported.has(filter) || 'error' in outcome) {
      const error = errorOf(filter);
      const expected = notSupported.has(filter) ? null : (outcome as { error: string }).error;
      expect([error.sqlState, error.message]).toEqual([expected, expect.any(String)]);
      expect(error.start).toBeLessThanOrEqual(error.end);
      expect(error.end).toBeLessThanOrEqual(filter.length);
      return;
    }
    const compiled = compileRowFilter(filter, columns, 18, scope);
    const results = recorded.rows.map((row) => compiled.evaluate(row, columns));
    expect(results).toEqual(outcome.map((value) => (value === null ? null : value === 't')));
  });

  it('finds its columns wherever they stand now, and says which they are', () => {
    const filter = compileRowFilter('small > 0 and id = 1', columns, 18, scope);
    const [id, small] = columns as [Column, Column];
    expect(filter.columns).toEqual(['small', 'id']);
    expect(filter.evaluate(['5', '1'], [small, id])).toBe(true);
    expect(filter.evaluate(['1', '5'], [id, small])).toBe(true);
    expect(filter.evaluate(['1', null], [id, small])).toBe(null);
  });
});

function errorOf(filter: string): RowFilterError {
  try {
    compileRowFilter(filter, columns, 18, scope);
  } catch (error) {
    if (error instanceof RowFilterError) return error;
    throw error;
  }
  throw new Error(`${filter} is not refused`);
}
