import { describe, expect, it } from '@jest/globals';
import { connected, ScriptedTimeline, TestClient, testCluster } from './harness.js';

const start = 0x150_0000n;
const end = start + 0xb0n;
const startCommand = `START_REPLICATION SLOT s LOGICAL 0/0 (proto_version '1', publication_names 'p')`;
const fatal = (code: string, message: string) => [['E', { S: 'FATAL', V: 'FATAL', C: code, M: message }]];

function streaming() {
  const timeline = new ScriptedTimeline(17);
  timeline.script.push(
    { message: { kind: 'begin', finalLsn: start + 0x80n, commitTime: 0n, xid: 7 }, lsn: start, xid: 7 },
    { message: { kind: 'commit', commitLsn: start + 0x80n, endLsn: end, commitTime: 0n }, lsn: end, xid: 7 },
  );
  const server = testCluster({ timeline });
  const client = connected(server);
  client.query('CREATE_REPLICATION_SLOT s LOGICAL pgoutput NOEXPORT_SNAPSHOT');
  client.query(startCommand);
  return { ...server, client };
}

describe('fast shutdown', () => {
  it('terminates sessions that are idle, and turns newcomers away', () => {
    const server = testCluster();
    const idle = connected(server);
    server.cluster.shutdown();
    expect(idle.take()).toEqual(fatal('57P01', 'terminating connection due to administrator command'));
    expect(idle.closed).toBe('end');
    const late = new TestClient(server.cluster, server.clock).startup({ user: 'postgres', database: 'db' });
    expect(late.take()).toEqual(fatal('57P03', 'the database system is shutting down'));
  });

  it('asks a stream’s client once, and lets it go when it has confirmed everything', () => {
    const { client, cluster } = streaming();
    cluster.shutdown();
    expect(client.take()).toEqual([['k', 1]]);
    expect(client.closed).toBeUndefined();
    client.status(start, { writeLsn: start });
    expect(client.take()).toEqual([['k', 1]]);
    client.status(end);
    expect(client.take()).toEqual([['C', 'COPY 0']]);
    expect(client.closed).toBe('end');
    expect(cluster.slots.get('s').activePid).toBeNull();
  });

  it('takes write for flush where the client reports no flush', () => {
    const { client, cluster } = streaming();
    client.status(0n, { writeLsn: end, applyLsn: 0n });
    client.take();
    cluster.shutdown();
    expect(client.closed).toBe('end');
  });

  it('sends what has been written, and no more', () => {
    const { client, cluster, timeline } = streaming();
    client.status(end).take();
    client.reads = false;
    cluster.shutdown();
    timeline.grow({ skipped: end + 0x100n });
    expect(client.closed).toBe('end');
  });

  it('ends with 57P01 for a client that never confirms, when time is up', () => {
    const { client, cluster } = streaming();
    cluster.shutdown();
    client.take();
    cluster.terminate();
    expect(client.take()).toEqual(fatal('57P01', 'terminating connection due to administrator command'));
    expect(cluster.sessions.size).toBe(0);
  });

  it('ends with wal_sender_timeout, too', () => {
    const { client, cluster } = streaming();
    cluster.shutdown();
    expect(client.pass(60_000).closed).toBe('reset');
  });
});
