/** What a session does over several calls: portals, formats, transactions, locks, slots. */
import { describe, it, expect, beforeAll } from '@jest/globals';
import { createSqlEngine, type SqlHost, type SqlOutput, type SqlSession } from '../../src/sql/index.js';
import { WireError } from '../../src/values/wire-error.js';
import { FakeHost } from './fake-host.js';
import { fixture } from './fixture.js';

const engine = createSqlEngine();
beforeAll(() => engine.load());

const version = '17.10';

function host(major = 17): FakeHost {
  const { catalog, rows } = fixture(major);
  return new FakeHost(major, version, catalog, rows);
}

function open(server: SqlHost, pid = 4711, settings: Record<string, string> = {}): SqlSession {
  return engine.createSession({
    host: server,
    pid,
    user: 'postgres',
    database: 'postgres',
    settings: new Map(Object.entries(settings)),
  });
}

function run(session: SqlSession, sql: string): SqlOutput[] {
  return [...session.query(sql)];
}

function rows(outputs: Iterable<SqlOutput>): unknown[] {
  return [...outputs].flatMap((output) => (output.kind === 'row' ? [output.values] : []));
}

function tags(outputs: Iterable<SqlOutput>): string[] {
  return [...outputs].flatMap((output) => (output.kind === 'complete' ? [output.tag] : []));
}

function errorOf(act: () => unknown): WireError {
  try {
    act();
  } catch (error) {
    if (error instanceof WireError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

const bytes = (text: string): Uint8Array => Buffer.from(text, 'hex');

describe('queries without end', () => {
  it.each([
    'SELECT count(*) FROM generate_series(1, 1000000000)',
    'SELECT count(*) FROM generate_series(1000000000, 1, -1)',
  ])('%s is refused, as other clients would wait for it', (sql) => {
    expect(errorOf(() => run(open(host()), sql))).toMatchObject({ code: '54000' });
  });

  it('may be long', () => {
    expect(rows(run(open(host()), 'SELECT count(*) FROM generate_series(1, 1000000, 10)'))).toEqual([['100000']]);
  });
});

describe('extended queries', () => {
  it('give rows as many at a time as are asked for', () => {
    const session = open(host());
    session.parse('', 'SELECT id FROM users ORDER BY id', []);
    session.bind('p', '', [], [], []);
    const first = [...session.execute('p', 2)];
    expect(rows(first)).toEqual([['1'], ['2']]);
    expect(first.at(-1)).toEqual({ kind: 'suspended' });
    const rest = [...session.execute('p', 2)];
    expect(rows(rest)).toEqual([['3']]);
    expect(tags(rest)).toEqual(['SELECT 1']);
    session.sync();
    expect(errorOf(() => [...session.execute('p', 0)]).code).toBe('34000');
  });

  it('take parameters in binary, as clients send them, and give results in binary', () => {
    const session = open(host());
    session.parse(
      's',
      'SELECT $1::int4 + 1, $2::text, $3::int8[], $4::timestamptz, $5::numeric, $6::bool, $7::uuid',
      [],
    );
    expect(session.describeStatement('s').parameterTypes).toEqual([23, 25, 1016, 1184, 1700, 16, 2950]);
    const parameters = [
      bytes('00000029'),
      Buffer.from('é'),
      bytes('0000000100000000000000140000000200000001000000080000000000000007000000080000000000000008'),
      bytes('0002b0ec85204bb0'),
      bytes('0003000100000003000c0d801ed2'),
      bytes('01'),
      bytes('a0eebc999c0b4ef8bb6d6bb9bd380a11'),
    ];
    session.bind('', 's', [1], parameters, [0, 0, 0, 0, 1, 1, 0]);
    expect(session.describePortal('')?.map(({ format }) => format)).toEqual([0, 0, 0, 0, 1, 1, 0]);
    expect(rows(session.execute('', 0))).toEqual([
      [
        '42',
        'é',
        '{7,8}',
        '2024-01-02 03:04:05.678+00',
        new Uint8Array(bytes('0003000100000003000c0d801ed2')),
        new Uint8Array([1]),
        'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
      ],
    ]);
  });

  it('refuse what does not fit together, as the server does', () => {
    const session = open(host());
    session.parse('s', 'SELECT $1::int4', []);
    expect(errorOf(() => session.parse('s', 'SELECT 1', [])).code).toBe('42P05');
    expect(errorOf(() => session.bind('', 'nope', [], [], [])).message).toBe(
      'prepared statement "nope" does not exist',
    );
    expect(errorOf(() => session.bind('', '', [], [], [])).message).toBe('unnamed prepared statement does not exist');
    expect(errorOf(() => session.bind('', 's', [], [], []))).toMatchObject({
      code: '08P01',
      message: 'bind message supplies 0 parameters, but prepared statement "s" requires 1',
    });
    expect(errorOf(() => session.bind('', 's', [1], [bytes('0001')], [])).message).toBe(
      'insufficient data left in message',
    );
    expect(errorOf(() => session.bind('', 's', [0], [Buffer.from('x')], []))).toMatchObject({
      code: '22P02',
      message: 'invalid input syntax for type integer: "x"',
    });
    expect(errorOf(() => session.parse('', 'SELECT 1; SELECT 2', [])).message).toBe(
      'cannot insert multiple commands into a prepared statement',
    );
    expect(errorOf(() => session.parse('', 'SELECT 1 WHERE $1 IS NULL', []))).toMatchObject({
      code: '42P18',
      message: 'could not determine data type of parameter $1',
    });
  });

  it('know empty statements, and those that return nothing', () => {
    const session = open(host());
    session.parse('', '', []);
    expect(session.describeStatement('')).toEqual({ parameterTypes: [], fields: null });
    session.bind('', '', [], [], []);
    expect([...session.execute('', 0)]).toEqual([{ kind: 'empty' }]);
  });

  it('see a transaction block fail, and end', () => {
    const session = open(host());
    const execute = (sql: string): SqlOutput[] => {
      session.parse('', sql, []);
      session.bind('', '', [], [], []);
      return [...session.execute('', 0)];
    };
    execute('BEGIN');
    session.sync();
    expect(session.transactionStatus).toBe('T');
    expect(errorOf(() => execute('SELECT 1/0')).code).toBe('22012');
    session.sync();
    expect(session.transactionStatus).toBe('E');
    expect(errorOf(() => execute('SELECT 1')).code).toBe('25P02');
    expect(tags(execute('ROLLBACK'))).toEqual(['ROLLBACK']);
    expect(session.transactionStatus).toBe('I');
  });
});

describe('transactions', () => {
  it('write as they go, each thing into its subtransaction', () => {
    const server = host();
    const session = open(server);
    run(session, "BEGIN; SELECT pg_logical_emit_message(true, 'a', 'one')");
    expect(session.transaction).toMatchObject({ hasWrites: true, inSubtransaction: false });
    run(session, "SAVEPOINT s; SELECT pg_logical_emit_message(true, 'a', 'two'); ROLLBACK TO s");
    run(session, 'COMMIT');
    expect(server.written).toEqual(['message a one', 'savepoint s', 'message a two', 'rollback to s', 'commit']);
    run(session, "BEGIN; SAVEPOINT t; SELECT 1; SELECT pg_logical_emit_message(true, 'a', 'three'); RELEASE t; COMMIT");
    expect(server.written.slice(5)).toEqual(['savepoint t', 'message a three', 'release t', 'commit']);
    run(session, 'BEGIN; SAVEPOINT u; SELECT 1; ROLLBACK TO u; COMMIT');
    expect(server.written.slice(9)).toEqual([]);
    run(session, "BEGIN; CREATE PUBLICATION gone; SELECT 1 FROM pg_publication WHERE pubname = 'gone'; ROLLBACK");
    expect(server.catalog().publications?.has('gone')).toBe(false);
    run(session, "SELECT pg_logical_emit_message(false, 'b', '\\x01ff'::bytea)");
    expect(server.written.slice(-3)).toEqual(['create gone', 'rollback', 'message at once b \x01ÿ']);
    expect(() => run(session, "SELECT pg_logical_emit_message(true, 'a', 'lost'); SELECT 1/0")).toThrow(
      'division by zero',
    );
    session.fail();
    expect(server.written.slice(-2)).toEqual(['message a lost', 'rollback']);
    run(session, "BEGIN; SELECT pg_logical_emit_message(true, 'a', 'lost too')");
    session.close();
    expect(server.written.slice(-2)).toEqual(['message a lost too', 'rollback']);
  });

  it('say of what kind they are', () => {
    const session = open(host());
    expect(session.transaction).toBeNull();
    run(session, 'BEGIN READ ONLY ISOLATION LEVEL REPEATABLE READ');
    const begun = { isolation: 'repeatable read', readOnly: true, hasSnapshot: false, inSubtransaction: false };
    expect(session.transaction).toMatchObject(begun);
    run(session, 'SHOW wal_level');
    expect(session.transaction).toMatchObject(begun);
    run(session, 'SAVEPOINT s; SELECT 1');
    expect(session.transaction).toMatchObject({ ...begun, hasSnapshot: true, inSubtransaction: true });
  });

  it('fail by errors from outside', () => {
    const session = open(host());
    run(session, 'BEGIN');
    session.fail();
    expect(session.transactionStatus).toBe('E');
    expect(errorOf(() => session.assertNotFailed()).code).toBe('25P02');
  });

  it('take up the snapshot of another session', () => {
    const session = open(host());
    run(session, 'BEGIN ISOLATION LEVEL REPEATABLE READ');
    run(session, "SET TRANSACTION SNAPSHOT '00000003-0000001B-1'");
    expect(session.transaction?.hasSnapshot).toBe(true);
    run(session, 'ROLLBACK; BEGIN ISOLATION LEVEL REPEATABLE READ');
    expect(errorOf(() => run(session, "SET TRANSACTION SNAPSHOT '00000099-0000001B-1'")).code).toBe('42704');
  });
});

describe('waits', () => {
  it('stand still until the time is over', () => {
    const outputs = open(host()).query("SELECT pg_sleep(1.5), 'done'");
    expect([outputs.next().value, outputs.next().value].map((output) => output?.kind)).toEqual([
      'rowDescription',
      'wait',
    ]);
    expect(rows(outputs)).toEqual([['', 'done']]);
  });

  it('stand still until a lock is free', () => {
    const server = host();
    const [first, second] = [open(server, 1), open(server, 2, { lock_timeout: '3s' })];
    run(first, 'SELECT pg_advisory_lock(42)');
    expect(rows(second.query('SELECT pg_try_advisory_lock(42)'))).toEqual([['f']]);
    const outputs = second.query('SELECT pg_advisory_lock(42)');
    outputs.next();
    const waiting = outputs.next().value;
    if (waiting?.kind !== 'wait' || waiting.wait.kind !== 'lock') throw new Error('it did not wait');
    expect(waiting.wait.timeout).toBe(3000);
    let freed = 0;
    const stop = waiting.wait.whenFree(() => freed++);
    first.close();
    stop();
    expect(freed).toBe(1);
    expect(tags(outputs)).toEqual(['SELECT 1']);
    expect(rows(first.query('SELECT pg_try_advisory_lock(42)'))).toEqual([['f']]);
  });

  it('can be cancelled', () => {
    const session = open(host());
    run(session, 'BEGIN');
    const outputs = session.query('SELECT pg_sleep(100)');
    outputs.next();
    outputs.next();
    const cancelled = new WireError({ code: '57014', message: 'canceling statement due to user request' });
    expect(errorOf(() => outputs.throw(cancelled))).toBe(cancelled);
    expect(session.transactionStatus).toBe('E');
  });
});

describe('what cannot be answered', () => {
  it('is said, quoted, and recorded', () => {
    const server = host();
    const session = open(server);
    const query = "SELECT 1;\nSELECT 'é', xmlparse(document '<a/>')";
    expect(errorOf(() => run(session, query))).toMatchObject({
      code: '0A000',
      message: 'fake-walsender cannot answer this query: a XmlExpr expression is not emulated',
      detail: `Query: ${query}`,
    });
    expect(server.refused).toEqual(['a XmlExpr expression is not emulated']);
    expect(errorOf(() => run(session, 'INSERT INTO users VALUES (1)')).code).toBe('0A000');
    expect(errorOf(() => run(session, 'SELECT * FROM pg_proc')).code).toBe('0A000');
    expect(session.transactionStatus).toBe('I');
  });

  it('does not include queries that need no value of it', () => {
    const session = open(host());
    expect(rows(session.query('SELECT pg_get_triggerdef(oid) FROM pg_trigger'))).toEqual([]);
    expect(errorOf(() => run(session, 'SELECT pg_get_triggerdef(1)')).code).toBe('0A000');
  });
});

describe('without declared publications', () => {
  const { catalog } = fixture(17);
  const server = (): FakeHost => new FakeHost(17, version, { ...catalog, publications: null });

  it('every name that is asked for is one of all tables', () => {
    const session = open(server());
    expect(rows(session.query("SELECT pubname, puballtables FROM pg_publication WHERE pubname IN ('p', 'q')"))).toEqual(
      [
        ['p', 't'],
        ['q', 't'],
      ],
    );
    expect(
      rows(session.query("SELECT count(*) FROM pg_publication_tables WHERE pubname = 'p' AND tablename = 'users'")),
    ).toEqual([['1']]);
    session.parse('', 'SELECT 1 FROM pg_publication WHERE pubname = $1', []);
    session.bind('', '', [], [Buffer.from('mine')], []);
    expect(rows(session.execute('', 0))).toEqual([['1']]);
  });

  it('the first one created is the only one', () => {
    const session = open(server());
    expect(tags(session.query('CREATE PUBLICATION p FOR TABLE users'))).toEqual(['CREATE PUBLICATION']);
    expect(rows(session.query("SELECT pubname FROM pg_publication WHERE pubname IN ('p', 'q')"))).toEqual([['p']]);
    expect(errorOf(() => run(session, 'CREATE PUBLICATION p')).code).toBe('42710');
  });
});

describe('slots by SQL', () => {
  it('pass on what was asked for, and give what was decoded', () => {
    const server = host();
    const session = open(server);
    run(session, "SELECT pg_create_logical_replication_slot('s', 'pgoutput', twophase => true)");
    expect(server.slotList.at(-1)).toMatchObject({ name: 's', plugin: 'pgoutput', twoPhase: true, temporary: false });
    server.changes.push({ lsn: 0x16b_3748n, xid: 750, data: new Uint8Array([0x42, 0]) });
    const read = "('s', '0/2000000', 5, 'proto_version', '1', 'publication_names', 'app_pub')";
    expect(rows(session.query(`SELECT * FROM pg_logical_slot_get_binary_changes${read}`))).toEqual([
      ['0/16B3748', '750', '\\x4200'],
    ]);
    expect(server.reads.at(-1)).toEqual({
      slot: 's',
      notice: expect.any(Function),
      pid: 4711,
      upToLsn: 0x200_0000n,
      upToCount: 5,
      options: [
        ['proto_version', '1'],
        ['publication_names', 'app_pub'],
      ],
      confirm: true,
    });
    expect(errorOf(() => run(session, `SELECT * FROM pg_logical_slot_peek_changes${read}`))).toMatchObject({
      code: '0A000',
    });
    expect(
      errorOf(() => run(session, "SELECT * FROM pg_logical_slot_peek_binary_changes('s', NULL, NULL, 'a')")).code,
    ).toBe('22023');
    run(session, 'SELECT pg_terminate_backend(99)');
    expect(server.terminated).toEqual([99]);
  });
});

describe('settings at start-up', () => {
  it('are taken, reported, and come back by RESET', () => {
    const session = open(host(), 1, { DateStyle: 'German', extra_float_digits: '3', application_name: 'me' });
    expect(session.outputSettings).toMatchObject({
      dateStyle: { format: 'GERMAN', order: 'DMY' },
      extraFloatDigits: 3,
    });
    expect(session.reportedParameters()).toContainEqual(['DateStyle', 'German, DMY']);
    expect(
      session
        .reportedParameters()
        .map(([name]) => name)
        .slice(0, 3),
    ).toEqual(['in_hot_standby', 'integer_datetimes', 'TimeZone']);
    run(session, 'SET application_name = other; RESET application_name');
    expect(session.show('application_name')).toEqual({ name: 'application_name', value: 'me' });
    expect(session.show('WAL_LEVEL')).toEqual({ name: 'wal_level', value: 'logical' });
  });

  it('are refused like the server refuses them', () => {
    expect(errorOf(() => open(host(), 1, { nope: '1' }))).toMatchObject({
      severity: 'FATAL',
      code: '42704',
      message: 'unrecognized configuration parameter "nope"',
    });
    expect(errorOf(() => open(host(), 1, { DateStyle: 'x' }))).toMatchObject({ severity: 'FATAL', code: '22023' });
    expect(errorOf(() => open(host()).show('nope')).code).toBe('42704');
  });
});
