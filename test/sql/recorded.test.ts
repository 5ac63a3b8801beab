import { describe, it, expect, beforeAll } from '@jest/globals';
import { createSqlEngine, type SqlSession } from '../../src/sql/index.js';
import { FakeHost } from './fake-host.js';
import { fixture } from './fixture.js';
import { comparable, corpus, extended, majors, normalized, recordedAnswer, simple, versionOf } from './recording.js';

const engine = createSqlEngine();
beforeAll(() => engine.load());

const groups = corpus();

/** A server of this major with the corpus's schema, slots included. */
function hostOf(major: number): FakeHost {
  const { catalog, rows } = fixture(major);
  const host = new FakeHost(major, versionOf(major), catalog, rows);
  const slot = { temporary: false, twoPhase: false, failover: false, reserveWal: false, database: 'postgres', pid: 1 };
  host.createSlot({ ...slot, name: 'app_slot', plugin: 'pgoutput' });
  host.createSlot({ ...slot, name: 'phys_slot', plugin: null });
  return host;
}

function open(host: FakeHost): SqlSession {
  return engine.createSession({ host, pid: 4711, user: 'postgres', database: 'postgres', settings: new Map() });
}

describe.each(majors)('a server of major %d', (major) => {
  const host = hostOf(major);
  const { names, fill } = fixture(major);

  it.each(Object.keys(groups))('answers as a real one: %s', (group) => {
    const session = open(host);
    const [answers, expected]: [string, unknown[]][][] = [[], []];
    for (const [i, entry] of groups[group]!.entries()) {
      const recorded = recordedAnswer(group, i, major);
      if (recorded === undefined) continue;
      const sql = fill(entry.sql);
      const messages = entry.params === undefined ? simple(session, sql) : extended(session, sql, entry);
      answers!.push([sql, comparable(normalized(messages, entry, names), entry)]);
      expected!.push([sql, comparable(recorded, entry)]);
    }
    expect(answers).toEqual(expected);
  });
});
