/** The SQL around a stream: sessions over one parser and one table of advisory locks per database. */
import type { SessionOptions, SqlEngine, SqlSession } from './engine.js';
import { loadParser } from './parser.js';
import { AdvisoryLocks } from './session/advisory-locks.js';
import { DeferredSession, type OpenSession } from './session/deferred-session.js';

let openSession: OpenSession | undefined;
let loading: Promise<void> | undefined;

/** The parser and the evaluator: neither is imported before somebody asks for it. */
function load(): Promise<void> {
  loading ??= Promise.all([import('./session/session.js'), loadParser()]).then(([{ Session }]) => {
    openSession = (options, locks, settings) => new Session(options, locks, settings);
  });
  return loading;
}

function opener(): OpenSession {
  if (openSession === undefined) throw new Error('the SQL evaluator is not loaded');
  return openSession;
}

export function createSqlEngine(): SqlEngine {
  const locks = new Map<string, AdvisoryLocks>();
  return {
    get loaded() {
      return openSession !== undefined;
    },
    load,
    createSession(options: SessionOptions): SqlSession {
      let shared = locks.get(options.database);
      if (shared === undefined) {
        shared = new AdvisoryLocks();
        locks.set(options.database, shared);
      }
      return new DeferredSession(options, shared, opener);
    },
  };
}
