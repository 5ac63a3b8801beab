/** The tables that a correct consumer ends with, and what clients are refused. */
import { describe, expect, it } from '@jest/globals';
import { encodeScenario, readScenario, requireScenario, rows } from '../../src/scenario/index.js';
import { WireError } from '../../src/values/wire-error.js';

const scenario = requireScenario(
  readScenario(`
scenario: rows
server: { version: 15 }
tables:
  users:
    columns: { id: int primary key, email: text, secret: text }
    rows: [{ id: 1, email: a, secret: s }, { id: 2 }]
  log: { columns: { line: text } }
publications:
  all: { all_tables: true }
  some: { tables: { users: { columns: [id, email], where: id < 100 } } }
  inserts: { all_tables: true, publish: [insert] }
stream:
  - repeat: 2
    changes:
      - insert: users
        row: { id: '1{{index}}' }
  - label: here
  - transaction:
      changes:
        - delete: users
          where: { id: 1 }
        - insert: users
          row: { id: 200 }
`),
);

describe('rows', () => {
  it('are those at the end, of repeats too', () => {
    expect(rows(scenario)).toEqual({
      'public.users': ['2', '10', '11', '200'].map((id) => ({ id, email: null, secret: null })),
      'public.log': [],
    });
  });

  it('are those at a label', () => {
    expect(rows(scenario, { at: 'here' })['public.users']?.map(({ id }) => id)).toEqual(['1', '2', '10', '11']);
    expect(() => rows(scenario, { at: 'there' })).toThrow(/no label "there"/);
  });

  it('are those that a publication shows', () => {
    const ids = ['1', '2', '10', '11'];
    expect(rows(scenario, { at: 'here', publication: 'some' })).toEqual({
      'public.users': ids.map((id) => ({ id, email: id === '1' ? 'a' : null })),
    });
    expect(() => rows(scenario, { publication: 'none' })).toThrow(/no publication "none"/);
    expect(() => rows(scenario, { publication: 'inserts' })).toThrow(/leaves out kinds of changes/);
  });
});

describe('encode', () => {
  it.each([
    [{ protoVersion: 4 }, '0A000', 'client sent proto_version=4 but we only support protocol 3 or lower'],
    [{ streaming: 'on' }, '22023', 'requested proto_version=1 does not support streaming, need 2 or higher'],
    [
      { protoVersion: 2, twoPhase: true },
      '22023',
      'requested proto_version=2 does not support two-phase commit, need 3 or higher',
    ],
    [{ origin: 'none' }, 'XX000', 'unrecognized pgoutput option: origin'],
  ] as const)('refuses %j as the server does', (client, code, message) => {
    expect(() => encodeScenario(scenario, client)).toThrow(new WireError({ code, message }));
  });

  it('takes all declared publications where none is asked for', () => {
    const inserts = (publications?: string[]): number =>
      [...encodeScenario(scenario, { ...(publications && { publications }) })].filter(({ kind }) => kind === 'insert')
        .length;
    expect(inserts(['some'])).toBe(2);
    expect(inserts(['all'])).toBe(3);
    expect(inserts(['all', 'inserts'])).toBe(3);
    // All three: a server finds that their column lists differ.
    expect(() => inserts()).toThrow(/cannot use different column lists/);
  });
});
