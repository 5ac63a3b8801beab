import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SlotRegistry } from '../../src/walsender/slot-registry.js';
import type { StoredSlot } from '../../src/walsender/slot.js';
import { connected, ScriptedTimeline, testCluster, type TestClient } from './harness.js';
import type { Outline } from './outline.js';

const start = `(proto_version '1', publication_names 'p')`;

/** The error, as `SQLSTATE message (detail)`; null for none. */
function errorOf(outlines: readonly Outline[]): string | null {
  const fields = outlines.find(([type]) => type === 'E')?.[1] as Record<string, string> | undefined;
  if (!fields) return null;
  return `${fields['C']!} ${fields['M']!}${fields['D'] === undefined ? '' : ` (${fields['D']})`}`;
}

function run(client: TestClient, text: string): string | null {
  return errorOf(client.query(text));
}

describe('CREATE_REPLICATION_SLOT', () => {
  it('answers where the slot stands, and what its snapshot is called', () => {
    const client = connected(testCluster());
    expect(client.query('CREATE_REPLICATION_SLOT s LOGICAL pgoutput')).toContainEqual([
      'D',
      's',
      '0/1500000',
      expect.stringMatching(/^[0-9A-F]{8}-[0-9A-F]{8}-1$/),
      'pgoutput',
    ]);
    expect(client.query('CREATE_REPLICATION_SLOT p PHYSICAL')).toContainEqual(['D', 'p', '0/0', null, null]);
  });

  it('prints LSNs as 19 does', () => {
    const client = connected(testCluster({ major: 19 }));
    expect(client.query('CREATE_REPLICATION_SLOT s LOGICAL pgoutput NOEXPORT_SNAPSHOT')).toContainEqual([
      'D',
      's',
      '0/01500000',
      null,
      'pgoutput',
    ]);
  });

  it('exports a snapshot until the next command', () => {
    const { cluster, clock } = testCluster();
    const client = connected({ cluster, clock });
    const row = client.query('CREATE_REPLICATION_SLOT s LOGICAL pgoutput').find(([type]) => type === 'D')!;
    expect(cluster.snapshots.find(row[3] as string)).toBe(0x150_0000n);
    client.query('SHOW wal_level');
    expect(cluster.snapshots.find(row[3] as string)).toBeUndefined();
  });

  it.each([
    [10, 'CREATE_REPLICATION_SLOT ... USE_SNAPSHOT', 'CREATE_REPLICATION_SLOT ... EXPORT_SNAPSHOT'],
    [15, "CREATE_REPLICATION_SLOT ... (SNAPSHOT 'use')", "CREATE_REPLICATION_SLOT ... (SNAPSHOT 'export')"],
  ])('wants the right transaction for its snapshot: %i', (major, use, exported) => {
    const client = connected(testCluster({ major }));
    const create = (option: string): string | null =>
      run(client, `CREATE_REPLICATION_SLOT s LOGICAL pgoutput ${option}`);
    expect(create('USE_SNAPSHOT')).toBe(`XX000 ${use} must be called inside a transaction`);
    run(client, 'BEGIN');
    expect(create('USE_SNAPSHOT')).toBe(`XX000 ${use} must be called in REPEATABLE READ isolation mode transaction`);
    expect(create('NOEXPORT_SNAPSHOT')).toBe(
      '25P02 current transaction is aborted, commands ignored until end of transaction block',
    );
    run(client, 'ROLLBACK');
    run(client, 'BEGIN');
    expect(create('EXPORT_SNAPSHOT')).toBe(`XX000 ${exported} must not be called inside a transaction`);
    run(client, 'ROLLBACK');
    run(client, 'BEGIN ISOLATION LEVEL REPEATABLE READ');
    expect(create('USE_SNAPSHOT')).toBeNull();
    run(client, 'ROLLBACK');
    run(client, 'DROP_REPLICATION_SLOT s');
  });

  it('wants a read-only transaction from 16 on', () => {
    const client = connected(testCluster({ major: 16 }));
    run(client, 'BEGIN ISOLATION LEVEL REPEATABLE READ');
    expect(run(client, 'CREATE_REPLICATION_SLOT s LOGICAL pgoutput USE_SNAPSHOT')).toBe(
      "XX000 CREATE_REPLICATION_SLOT ... (SNAPSHOT 'use') must be called in a read-only transaction",
    );
  });

  it.each<[string, string, Record<string, string>, number, string]>([
    ['an invalid name', 'S-1', {}, 17, '42602 replication slot name "S-1" contains invalid character'],
    ['an empty name', '', {}, 17, '42602 replication slot name "" is too short'],
    [
      'a reserved name',
      'pg_conflict_detection',
      {},
      19,
      '42939 replication slot name "pg_conflict_detection" is reserved (The name "pg_conflict_detection" is reserved for the conflict detection slot.)',
    ],
    ['a full house', 's', { max_replication_slots: '1' }, 17, '53400 all replication slots are in use'],
    [
      'no house',
      's',
      { max_replication_slots: '0' },
      16,
      '55000 replication slots can only be used if max_replication_slots > 0',
    ],
    [
      'no house',
      's',
      { max_replication_slots: '0' },
      17,
      '55000 replication slots can only be used if "max_replication_slots" > 0',
    ],
    ['too little WAL', 's', { wal_level: 'replica' }, 16, '55000 logical decoding requires wal_level >= logical'],
    ['too little WAL', 's', { wal_level: 'replica' }, 17, '55000 logical decoding requires "wal_level" >= "logical"'],
    ['a standby', 's', { in_hot_standby: 'on' }, 15, '0A000 logical decoding cannot be used while in recovery'],
  ])('refuses %s', (_, name, settings, major, message) => {
    const client = connected(testCluster({ major, configuration: new Map(Object.entries(settings)) }));
    if (name === 's') run(client, 'CREATE_REPLICATION_SLOT first PHYSICAL');
    expect(run(client, `CREATE_REPLICATION_SLOT "${name}" LOGICAL pgoutput NOEXPORT_SNAPSHOT`)).toBe(message);
  });

  it('turns logical decoding on by itself from 19 on', () => {
    const client = connected(testCluster({ major: 19, configuration: new Map([['wal_level', 'replica']]) }));
    expect(run(client, 'CREATE_REPLICATION_SLOT s LOGICAL pgoutput NOEXPORT_SNAPSHOT')).toBeNull();
    expect(run(client, 'CREATE_REPLICATION_SLOT t LOGICAL pgrepack NOEXPORT_SNAPSHOT')).toBe(
      '0A000 unsupported use of logical decoding plugin "pgrepack"',
    );
  });

  it('has hints where the server has', () => {
    const client = connected(testCluster({ configuration: new Map([['max_replication_slots', '1']]) }));
    const hints = ['A', 's', 't'].map((name) => {
      const error = client.query(`CREATE_REPLICATION_SLOT "${name}" PHYSICAL`).find(([type]) => type === 'E');
      return (error?.[1] as Record<string, string> | undefined)?.['H'];
    });
    expect(hints).toEqual([
      'Replication slot names may only contain lower case letters, numbers, and the underscore character.',
      undefined,
      'Free one or increase "max_replication_slots".',
    ]);
  });

  it('gives failover to permanent slots only', () => {
    const client = connected(testCluster());
    expect(run(client, 'CREATE_REPLICATION_SLOT s TEMPORARY LOGICAL pgoutput (FAILOVER)')).toBe(
      '0A000 cannot enable failover for a temporary replication slot',
    );
    run(client, 'CREATE_REPLICATION_SLOT s TEMPORARY LOGICAL pgoutput');
    expect(run(client, 'ALTER_REPLICATION_SLOT s (FAILOVER)')).toBe(
      '0A000 cannot enable failover for a temporary replication slot',
    );
  });
});

describe('a slot', () => {
  it('belongs to one connection at a time', () => {
    const server = testCluster();
    const [first, second] = [connected(server), connected(server)];
    run(first, 'CREATE_REPLICATION_SLOT s LOGICAL pgoutput NOEXPORT_SNAPSHOT');
    first.query(`START_REPLICATION SLOT s LOGICAL 0/0 ${start}`);
    const busy = `55006 replication slot "s" is active for PID ${first.session.pid}`;
    expect(run(second, `START_REPLICATION SLOT s LOGICAL 0/0 ${start}`)).toBe(busy);
    expect(run(second, 'DROP_REPLICATION_SLOT s')).toBe(busy);
    first.session.peerLost('gone');
    expect(second.query(`START_REPLICATION SLOT s LOGICAL 0/0 ${start}`)[0]).toEqual(['W', '000000']);
  });

  it('does not affect another', () => {
    const server = testCluster();
    const clients = ['a', 'b'].map((slot) => {
      const client = connected(server);
      run(client, `CREATE_REPLICATION_SLOT ${slot} LOGICAL pgoutput NOEXPORT_SNAPSHOT`);
      client.query(`START_REPLICATION SLOT ${slot} LOGICAL 0/0 ${start}`);
      return client;
    });
    clients[0]!.status(0x150_0100n);
    expect(server.cluster.slots.get('b').confirmedFlushLsn).toBe(0x150_0000n);
    expect(run(clients[0]!.message('d', ''), 'CREATE_REPLICATION_SLOT c LOGICAL pgoutput')).toMatch(/no data left/);
    expect(server.cluster.slots.get('b').activePid).toBe(clients[1]!.session.pid);
  });

  it('is dropped with WAIT as soon as it is free', () => {
    const server = testCluster();
    const [first, second] = [connected(server), connected(server)];
    run(first, 'CREATE_REPLICATION_SLOT s LOGICAL pgoutput NOEXPORT_SNAPSHOT');
    first.query(`START_REPLICATION SLOT s LOGICAL 0/0 ${start}`);
    expect(second.query('DROP_REPLICATION_SLOT s WAIT')).toEqual([]);
    first.message('c');
    expect(second.take()).toEqual([
      ['C', 'DROP_REPLICATION_SLOT'],
      ['Z', 'I'],
    ]);
    expect(run(second, 'DROP_REPLICATION_SLOT s WAIT')).toBe('42704 replication slot "s" does not exist');
  });

  it('is waited for no longer after a CancelRequest', () => {
    const server = testCluster();
    const [first, second] = [connected(server), connected(server)];
    run(first, 'CREATE_REPLICATION_SLOT s LOGICAL pgoutput NOEXPORT_SNAPSHOT');
    first.query(`START_REPLICATION SLOT s LOGICAL 0/0 ${start}`);
    second.query('DROP_REPLICATION_SLOT s WAIT');
    second.session.cancel();
    expect(errorOf(second.take())).toBe('57014 canceling statement due to user request');
    first.message('c');
    expect(server.cluster.slots.find('s')).toBeDefined();
  });

  it('that is temporary goes with its connection, or with any error of it', () => {
    const server = testCluster();
    const client = connected(server);
    const create = 'CREATE_REPLICATION_SLOT s TEMPORARY LOGICAL pgoutput NOEXPORT_SNAPSHOT';
    run(client, create);
    const other = connected(server);
    expect(run(other, 'DROP_REPLICATION_SLOT s')).toBe(
      `55006 replication slot "s" is active for PID ${client.session.pid}`,
    );
    expect(run(client, 'IDENTIFY_SYSTEM x')).toBe('42601 syntax error');
    expect(server.cluster.slots.find('s')).toBeUndefined();
    run(client, create);
    expect(run(client, `START_REPLICATION SLOT s LOGICAL 0/0 ${start}`)).toBeNull();
    client.message('c');
    expect(server.cluster.slots.get('s').activePid).toBe(client.session.pid);
    client.message('X');
    expect(server.cluster.slots.find('s')).toBeUndefined();
  });

  it.each([
    [
      'physical, for a logical stream',
      17,
      'CREATE_REPLICATION_SLOT s PHYSICAL',
      `START_REPLICATION SLOT s LOGICAL 0/0 ${start}`,
      '55000 cannot use physical replication slot for logical decoding',
    ],
    [
      'logical, for a physical stream',
      17,
      'CREATE_REPLICATION_SLOT s LOGICAL pgoutput',
      'START_REPLICATION SLOT s 0/0',
      '55000 cannot use a logical replication slot for physical replication',
    ],
    [
      'physical, for a physical stream',
      17,
      'CREATE_REPLICATION_SLOT s PHYSICAL',
      'START_REPLICATION SLOT s 0/0',
      '0A000 physical replication is not supported by fake-walsender',
    ],
    [
      'physical, for ALTER',
      17,
      'CREATE_REPLICATION_SLOT s PHYSICAL',
      'ALTER_REPLICATION_SLOT s (FAILOVER)',
      '0A000 cannot use ALTER_REPLICATION_SLOT with a physical replication slot',
    ],
  ])('of the wrong kind is refused: %s', (_, major, create, use, message) => {
    const client = connected(testCluster({ major }));
    run(client, create);
    expect(run(client, use)).toBe(message);
  });

  it('of another database is refused', () => {
    const timeline = new ScriptedTimeline(17);
    const server = testCluster({ timeline, databases: new Map(['db', 'other'].map((name) => [name, { timeline }])) });
    run(connected(server), 'CREATE_REPLICATION_SLOT s LOGICAL pgoutput NOEXPORT_SNAPSHOT');
    const other = connected(server, { database: 'other' });
    expect(run(other, `START_REPLICATION SLOT s LOGICAL 0/0 ${start}`)).toBe(
      '55000 replication slot "s" was not created in this database',
    );
    expect(run(other, 'DROP_REPLICATION_SLOT s')).toBeNull();
  });

  it.each([
    [
      14,
      'cannot read from logical replication slot "s" (This slot has been invalidated because it exceeded the maximum reserved size.)',
    ],
    [
      16,
      'can no longer get changes from replication slot "s" (This slot has been invalidated because it exceeded the maximum reserved size.)',
    ],
    [
      18,
      'can no longer access replication slot "s" (This replication slot has been invalidated due to "wal_removed".)',
    ],
  ])('that was invalidated is refused as by %i', (major, message) => {
    const server = testCluster({ major });
    const client = connected(server);
    run(client, 'CREATE_REPLICATION_SLOT s LOGICAL pgoutput NOEXPORT_SNAPSHOT');
    server.cluster.slots.invalidate('s', 'wal_removed');
    expect(run(client, `START_REPLICATION SLOT s LOGICAL 0/0 ${start}`)).toBe(`55000 ${message}`);
    expect(server.cluster.slots.get('s').activePid).toBeNull();
    expect(run(client, 'DROP_REPLICATION_SLOT s')).toBeNull();
  });

  it('comes into being by its first START where nobody declared any, and not again', () => {
    const server = testCluster({ database: { implicitSlots: true } });
    const client = connected(server);
    expect(run(client, `START_REPLICATION SLOT s LOGICAL 0/0 ${start}`)).toBeNull();
    client.message('c').take();
    expect(run(client, 'CREATE_REPLICATION_SLOT s LOGICAL pgoutput')).toBe('42710 replication slot "s" already exists');
    run(client, 'DROP_REPLICATION_SLOT s');
    expect(run(client, `START_REPLICATION SLOT s LOGICAL 0/0 ${start}`)).toBe(
      '42704 replication slot "s" does not exist',
    );
  });

  it('can be declared beforehand', () => {
    const slots = [
      { name: 's', plugin: 'pgoutput', database: 'db', confirmedFlushLsn: 0x150_0400n, twoPhase: true, failover: true },
    ];
    const server = testCluster({ slots });
    expect(server.cluster.slots.get('s')).toMatchObject({
      confirmedFlushLsn: 0x150_0400n,
      twoPhase: true,
      failover: true,
    });
    server.cluster.slots.drop('s', 1);
    server.cluster.reset();
    expect(server.cluster.slots.get('s').activePid).toBeNull();
  });
});

describe('SlotRegistry', () => {
  const limits = { major: 17, maxSlots: 10 };
  const birth = { lsn: 0x150_0000n, nextXid: 750, time: 0n };
  const slot = {
    name: 's',
    plugin: 'pgoutput',
    temporary: false,
    twoPhase: true,
    failover: true,
    reserveWal: false,
    database: 'db',
    pid: 1,
  };

  it('stores and restores what outlives the process', () => {
    const registry = new SlotRegistry(limits);
    registry.create(slot, birth);
    registry.create({ ...slot, name: 't', temporary: true }, birth);
    registry.create({ ...slot, name: 'p', plugin: null, twoPhase: false, failover: false }, birth);
    registry.confirm(registry.get('s'), 0x150_0100n);
    const restored = new SlotRegistry(limits);
    restored.restore(JSON.parse(JSON.stringify(registry.store())) as StoredSlot[], 5n);
    expect([...restored].map(({ name }) => name)).toEqual(['s', 'p']);
    expect(restored.get('s')).toEqual({ ...registry.get('s'), inactiveSince: 5n });
    expect(restored.get('s')).toMatchObject({
      confirmedFlushLsn: 0x150_0100n,
      restartLsn: 0x150_00c8n,
      twoPhaseAt: 0x150_0000n,
    });
    expect(restored.hasKnown('s')).toBe(true);
  });

  it('never lets the confirmed position go back, nor restart_lsn pass it', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: 0n, max: 0xffff_ffff_ffff_ffffn })), (lsns) => {
        const registry = new SlotRegistry(limits);
        const made = registry.create(slot, birth);
        let confirmed = birth.lsn;
        for (const lsn of lsns) {
          registry.confirm(made, lsn);
          if (lsn > confirmed) confirmed = lsn;
          expect(made.confirmedFlushLsn).toBe(confirmed);
          expect(made.restartLsn! <= confirmed).toBe(true);
        }
      }),
    );
  });

  it('tells when something changed that is stored', () => {
    const registry = new SlotRegistry(limits);
    let changes = 0;
    const stop = registry.onChanged(() => changes++);
    const made = registry.create(slot, birth);
    registry.confirm(made, birth.lsn);
    registry.confirm(made, birth.lsn + 1n);
    registry.drop('s', 1);
    stop();
    registry.create(slot, birth);
    expect(changes).toBe(3);
  });
});
