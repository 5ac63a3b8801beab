/**
 * Every exchange that was recorded from servers 10 to 18, replayed against sessions that emulate them. LSNs, process ids, system
 * ids, snapshot names and secrets differ from server to server and are masked; everything else must be the same.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createSqlEngine } from '../../src/sql/index.js';
import { connected, TestClient, testCluster } from './harness.js';
import type { Outline } from './outline.js';

interface Exchange {
  readonly note?: string;
  /** The text of a Query message; or `send`, bytes in hex. */
  readonly query?: string;
  readonly send?: string;
  readonly reply: readonly Outline[];
  readonly closed?: boolean;
}

interface Golden {
  readonly connections: readonly { readonly about: string; readonly exchanges: readonly Exchange[] }[];
}

const majors = [10, 11, 12, 13, 14, 15, 16, 17, 18];

function golden(major: number): Golden {
  return JSON.parse(readFileSync(join(__dirname, `../golden/walsender/${major}.json`), 'utf8')) as Golden;
}

function masked(outlines: readonly Outline[]): unknown {
  return outlines.map((outline) =>
    outline.map((part) => {
      const text = typeof part === 'string' ? part : JSON.stringify(part);
      const same = text
        .replace(/\b[0-9A-F]+\/[0-9A-F]+\b/g, 'LSN')
        .replace(/\b[0-9A-F]{8}-[0-9A-F]{8}-\d\b/g, 'SNAPSHOT')
        .replace(/\bPID \d+/g, 'PID n')
        .replace(/^\d{19}$/, 'SYSTEM ID');
      return typeof part === 'string' ? same : (JSON.parse(same) as unknown);
    }),
  );
}

const sql = createSqlEngine();
beforeAll(() => sql.load());

function serverOf(major: number) {
  return testCluster({
    major,
    sql,
    databaseName: 'cap_transcripts',
    users: new Map([['postgres', null]]),
    configuration: new Map([['max_replication_slots', '40']]),
  });
}

function endsSession(reply: readonly Outline[]): boolean {
  return JSON.stringify(reply).includes('FATAL');
}

describe.each(majors)('PostgreSQL %i', (major) => {
  const { cluster, clock } = serverOf(major);
  const about = golden(major).connections.map((connection) => [connection.about, connection.exchanges] as const);
  const busy = connected({ cluster, clock }, { database: 'cap_transcripts' });

  it.each(about)('%s', (name, exchanges) => {
    if (name.startsWith('a slot that another')) {
      busy.query('CREATE_REPLICATION_SLOT busy LOGICAL pgoutput NOEXPORT_SNAPSHOT');
      busy.query(`START_REPLICATION SLOT busy LOGICAL 0/0 (proto_version '1', publication_names '"pub"')`);
    }
    const client = new TestClient(cluster, clock);
    for (const exchange of exchanges) {
      const { query, send, note = '' } = exchange;
      const wait = /^\(nothing sent(?:, (\d+) ms|, wait)\)$/.exec(note);
      if (query !== undefined) client.message('Q', `${query}\0`);
      else if (send !== undefined) client.raw(send);
      else if (name.includes('terminated by an administrator')) client.session.terminate();
      else expect(wait).not.toBeNull();
      if (wait) client.pass(Number(wait[1] ?? 100));
      const said = query ?? note;
      expect([said, masked(client.take())]).toEqual([said, masked(exchange.reply)]);
      // After a FATAL the captures did not always wait for the end.
      if (exchange.closed) expect([said, client.closed]).not.toEqual([said, undefined]);
      else if (!endsSession(exchange.reply)) expect([said, client.closed]).toEqual([said, undefined]);
    }
    if (client.closed === undefined) client.session.peerEnded();
  });
});
