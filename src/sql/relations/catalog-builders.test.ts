import { beforeAll, describe, it, expect } from '@jest/globals';
import { FakeHost } from '../../../test/sql/fake-host.js';
import { fixture } from '../../../test/sql/fixture.js';
import { loadParser } from '../parser.js';
import { AdvisoryLocks } from '../session/advisory-locks.js';
import { SessionState } from '../session/session-state.js';
import { startSettings } from '../session/start-settings.js';
import { catalogBuilders, emptyCatalogs } from './catalog-builders.js';
import { systemRelations } from './system-schema.js';

const majors = [10, 11, 12, 13, 14, 15, 16, 17, 18];

function rowsOf(name: string, major: number): Readonly<Record<string, unknown>>[] {
  const { catalog, rows } = fixture(major);
  const host = new FakeHost(major, `${major}.0`, catalog, rows);
  host.createSlot({
    name: 's',
    plugin: 'pgoutput',
    temporary: false,
    twoPhase: false,
    failover: false,
    reserveWal: false,
    database: 'postgres',
    pid: 1,
  });
  const session = { host, pid: 4711, user: 'postgres', database: 'postgres', settings: new Map<string, string>() };
  const state = new SessionState(session, new AdvisoryLocks(), startSettings(session));
  return [...catalogBuilders[name]!(state.context([]))];
}

// Row filters are printed by way of the parser.
beforeAll(loadParser);

describe('system catalogs', () => {
  it.each(Object.keys(catalogBuilders))('%s has every column that any major has', (name) => {
    for (const major of majors) {
      const relation = systemRelations(major).get(name);
      const wanted = relation?.columns.map((column) => column.name) ?? [];
      for (const row of relation === undefined ? [] : rowsOf(name, major)) {
        expect(wanted.filter((column) => row[column] === undefined)).toEqual([]);
      }
    }
  });

  it('are all catalogs that some server has', () => {
    const known = new Set([...majors, 19].flatMap((major) => [...systemRelations(major).keys()]));
    expect([...Object.keys(catalogBuilders), ...emptyCatalogs].filter((name) => !known.has(name))).toEqual([]);
  });
});
