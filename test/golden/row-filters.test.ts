/** Row filters on rows of many types, against what a server (18.4) answers for the same expressions and rows. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, expect } from '@jest/globals';
import { parseRowFilter } from '../../src/database/expression/row-filter.js';
import { StatementError } from '../../src/database/statement-error.js';
import { parseTypeName, ValueError } from '../../src/postgres/index.js';
import type { Column } from '../../src/timeline/catalog.js';

interface ServerError {
  readonly code: string;
  readonly message: string;
  readonly detail?: string;
  readonly position?: number;
}
interface Golden {
  readonly columns: readonly (readonly [name: string, type: string])[];
  readonly rows: readonly (readonly (string | null)[])[];
  readonly cases: readonly {
    readonly text: string;
    readonly error?: ServerError;
    readonly results?: readonly (boolean | null | ServerError)[];
  }[];
}

const major = 18;
const golden = JSON.parse(readFileSync(join(__dirname, 'row-filters.json'), 'utf8')) as Golden;
const columns = golden.columns.map(([name, typeText]): Column => ({
  name,
  ...parseTypeName(typeText, major),
  notNull: false,
  generated: null,
  identity: false,
}));

/** Refused here too, in other words: what is not supported, and what a server reads on past the end of the expression. */
const refusedOtherwise = new Set([
  "md5(v) = 'x'",
  "b like '\\x01%'",
  "id ~ 'x'",
  'id @ 1',
  '0x10 = id',
  'nosuch(v) = 1',
  'id = $1',
  'count(*) > 1',
  'id =',
  'id = 1 and',
  'id = 1)',
  '(id = 1',
  "'unterminated",
]);

function outcome(body: () => unknown): unknown {
  try {
    return body();
  } catch (error) {
    if (error instanceof StatementError) {
      const { code, message, detail, position } = error;
      return { code, message, ...(detail === undefined ? {} : { detail }), position };
    }
    if (error instanceof ValueError) return { code: error.sqlState, message: error.message };
    throw error;
  }
}

describe('row filters', () => {
  const accepted = golden.cases.filter(({ results, text }) => results !== undefined && !refusedOtherwise.has(text));
  it.each(accepted.map(({ text, results }) => [text, results] as const))('%s', (text, results) => {
    const filter = parseRowFilter(text, columns, major);
    expect(golden.rows.map((row) => outcome(() => filter.evaluate(row, columns)))).toEqual(results);
  });
});

describe('row filters that a server refuses', () => {
  const refused = golden.cases.filter(({ error, text }) => error !== undefined && !refusedOtherwise.has(text));
  it.each(refused.map(({ text, error }) => [text, error!] as const))('%s', (text, error) => {
    expect(outcome(() => parseRowFilter(text, columns, major))).toEqual(error);
  });

  it.each([...refusedOtherwise])('%s is refused with a place', (text) => {
    expect(outcome(() => parseRowFilter(text, columns, major))).toMatchObject({
      code: expect.any(String),
      position: expect.any(Number),
    });
  });
});
