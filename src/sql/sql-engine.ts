/** The SQL around a stream: sessions over one parser and one table of advisory locks per database. */
import type { SessionOptions, SqlEngine, SqlSession } from './engine.js';
import { isParserLoaded, loadParser } from './parser.js';
import { AdvisoryLocks } from './session/advisory-locks.js';
import { Session } from './session/session.js';

export function createSqlEngine(): SqlEngine {
  const locks = new Map<string, AdvisoryLocks>();
  return {
    get loaded() {
      return isParserLoaded();
    },
    load: loadParser,
    createSession(options: SessionOptions): SqlSession {
      let shared = locks.get(options.database);
      if (shared === undefined) {
        shared = new AdvisoryLocks();
        locks.set(options.database, shared);
      }
      return new Session(options, shared);
    },
  };
}
