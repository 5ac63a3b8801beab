import { beforeAll, describe, expect, it } from '@jest/globals';
import { serialize } from 'pg-protocol';
import type { Field, SqlOutput } from '../../src/sql/engine.js';
import { createSqlEngine } from '../../src/sql/index.js';
import { WireError } from '../../src/values/wire-error.js';
import type { Answer, Answers } from '../../src/walsender/answers.js';
import type { SessionEvent } from '../../src/walsender/events.js';
import { connected, TestClient, testCluster, type TestClusterOptions } from './harness.js';
import type { Outline } from './outline.js';

const sql = createSqlEngine();
beforeAll(() => sql.load());

function ordinary(options: TestClusterOptions = {}): TestClient {
  const { cluster, clock } = testCluster({ sql, ...options });
  const client = new TestClient(cluster, clock).startup({ user: 'postgres', database: 'db' });
  client.take();
  return client;
}

function types(outlines: readonly Outline[]): string {
  return outlines.map(([type]) => type).join('');
}

function errorOf(outlines: readonly Outline[]): string | undefined {
  const fields = outlines.find(([type]) => type === 'E')?.[1] as Record<string, string> | undefined;
  return fields && `${fields['S']!} ${fields['C']!} ${fields['M']!}`;
}

const field = (name: string): Field => ({
  name,
  tableOid: 0,
  attnum: 0,
  typeOid: 25,
  typeLength: -1,
  typeModifier: -1,
  format: 0,
});

function rows(...values: readonly string[]): Answer {
  const outputs: SqlOutput[] = [
    { kind: 'rowDescription', fields: [field('answer')] },
    ...values.map((value) => ({ kind: 'row', values: [value] }) as const),
    { kind: 'complete', tag: `SELECT ${values.length}` },
  ];
  return { kind: 'outputs', outputs };
}

function executed(text: string, values: readonly string[] = []): Buffer {
  return Buffer.concat([
    serialize.parse({ text }),
    serialize.bind({ values: [...values] }),
    serialize.describe({ type: 'P' }),
    serialize.execute({}),
    serialize.sync(),
  ]);
}

describe('queries', () => {
  it('answers several statements, until one fails', () => {
    expect(types(ordinary().query('SELECT 1; SELECT 2; SELECT nosuch; SELECT 3'))).toBe('TDCTDCEZ');
  });

  it('refuses what is not emulated with the query quoted, and tells', () => {
    const events: SessionEvent[] = [];
    const client = ordinary({ observe: (event) => events.push(event) });
    const error = client.query('VACUUM t').find(([type]) => type === 'E')?.[1] as Record<string, string>;
    expect(error['C']).toBe('0A000');
    expect(`${error['M']!} ${error['D'] ?? ''}`).toContain('VACUUM t');
    expect(events).toContainEqual(expect.objectContaining({ kind: 'query:unhandled', text: 'VACUUM t' }));
    expect(types(client.query('SELECT 1'))).toBe('TDCZ');
  });

  it.each([
    [13, 'SCZ'],
    [14, 'CSZ'],
  ])('reports changed settings as %i does', (major, expected) => {
    const client = ordinary({ major });
    const outlines = client.query("SET application_name = 'x'");
    expect(types(outlines)).toBe(expected);
    expect(outlines).toContainEqual(['S', 'application_name', 'x']);
  });

  it('tells the state of the transaction', () => {
    const client = ordinary();
    const states = ['BEGIN', 'SELECT 1', 'SELECT nosuch', 'ROLLBACK'].map((text) => client.query(text).at(-1)?.[1]);
    expect(states).toEqual(['T', 'T', 'E', 'I']);
  });

  it('fails the transaction block of a walsender whose command failed', () => {
    const client = connected(testCluster({ sql }));
    expect(client.query('BEGIN').at(-1)).toEqual(['Z', 'T']);
    expect(client.query('DROP_REPLICATION_SLOT nosuch').at(-1)).toEqual(['Z', 'E']);
    expect(errorOf(client.query('IDENTIFY_SYSTEM'))).toBe(
      'ERROR 25P02 current transaction is aborted, commands ignored until end of transaction block',
    );
    expect(client.query('ROLLBACK').at(-1)).toEqual(['Z', 'I']);
    client.query('BEGIN');
    expect(errorOf(client.query('START_REPLICATION SLOT s LOGICAL 0/0'))).toBe(
      'ERROR 25001 START_REPLICATION cannot run inside a transaction block',
    );
  });

  it('waits without keeping others, and can be cancelled', () => {
    const client = ordinary();
    expect(types(client.query('SELECT pg_sleep(2)'))).toBe('T');
    expect(types(client.pass(1_999).take())).toBe('');
    expect(types(client.pass(1).take())).toBe('DCZ');
    client.query('SELECT pg_sleep(2)');
    client.session.cancel();
    expect(errorOf(client.take())).toBe('ERROR 57014 canceling statement due to user request');
    client.session.cancel();
    expect(types(client.query('SELECT 1'))).toBe('TDCZ');
  });

  it('waits for an advisory lock until its owner lets go', () => {
    const server = testCluster({ sql });
    const [first, second] = [connected(server), connected(server)];
    first.query('SELECT pg_advisory_lock(7)');
    expect(types(second.query('SELECT pg_advisory_lock(7)'))).toBe('T');
    first.message('X');
    expect(types(second.take())).toBe('DCZ');
  });

  it('reads no more while a statement runs and much has come', () => {
    const client = ordinary();
    client.query('SELECT pg_sleep(1)');
    client.message('Q', `SELECT '${'x'.repeat(70_000)}'\0`);
    expect(client.readingMore).toBe(false);
    client.pass(1_000);
    expect(client.readingMore).toBe(true);
    expect(types(client.take())).toBe('DCZTDCZ');
  });

  it('holds a bounded part of a large result', () => {
    const client = ordinary();
    client.reads = false;
    client.query("SELECT repeat('x', 1000) FROM generate_series(1, 5000)");
    let largest = 0;
    for (let turn = 0; turn < 100 && client.pending > 0; turn++) {
      largest = Math.max(largest, client.pending);
      client.drain();
    }
    expect(largest).toBeLessThan((256 + 64 + 8) * 1024);
    expect(client.take().at(-1)).toEqual(['Z', 'I']);
  });

  it('answers what came before the client closed its half', () => {
    const client = ordinary();
    client.query('SELECT pg_sleep(1)');
    client.message('Q', 'SELECT 1\0').session.peerEnded();
    expect(client.closed).toBeUndefined();
    client.pass(1_000);
    expect(types(client.take())).toBe('DCZTDCZ');
    expect(client.closed).toBe('end');
  });
});

describe('the extended protocol', () => {
  it('answers in order', () => {
    expect(
      types(
        ordinary()
          .raw(executed('SELECT $1::int + 1', ['41']))
          .take(),
      ),
    ).toBe('12TDCZ');
  });

  it('skips to Sync after an error', () => {
    const client = ordinary();
    const outlines = client.raw(Buffer.concat([executed('SELECT nosuch'), executed('SELECT 1')])).take();
    expect(types(outlines)).toBe('EZ12TDCZ');
  });

  it('suspends a portal', () => {
    const client = ordinary();
    const bytes = Buffer.concat([
      serialize.parse({ text: 'SELECT generate_series(1, 3)' }),
      serialize.bind({}),
      serialize.execute({ rows: 2 }),
      serialize.execute({ rows: 2 }),
      serialize.sync(),
    ]);
    expect(types(client.raw(bytes).take())).toBe('12DDsDCZ');
  });

  it('describes and closes statements', () => {
    const client = ordinary();
    const bytes = Buffer.concat([
      serialize.parse({ name: 's', text: 'SELECT $1::int' }),
      serialize.describe({ type: 'S', name: 's' }),
      serialize.close({ type: 'S', name: 's' }),
      serialize.sync(),
    ]);
    expect(client.raw(bytes).take()).toEqual([
      ['1'],
      ['t', 23],
      ['T', ['int4', 0, 0, 23, 4, -1, 0]],
      ['3'],
      ['Z', 'I'],
    ]);
  });

  it('is not for walsenders, who wait for a Sync', () => {
    const client = connected(testCluster({ sql }));
    expect(errorOf(client.raw(executed('SELECT 1').subarray(0, -5)).take())).toBe(
      'ERROR 08P01 extended query protocol not supported in a replication connection',
    );
    expect(types(client.message('Q', 'IDENTIFY_SYSTEM\0').take())).toBe('');
    expect(types(client.message('S').take())).toBe('Z');
  });
});

describe('handlers', () => {
  function answering(query: NonNullable<Answers['query']>, more: TestClusterOptions = {}): TestClient {
    return ordinary({ answers: { query }, ...more });
  }

  it('come first, by text', () => {
    const client = answering(({ text }) => (/now/.test(text) ? rows('then') : undefined));
    expect(client.query('SELECT now()')).toContainEqual(['D', 'then']);
    expect(client.query('SELECT 1')).toContainEqual(['D', '1']);
  });

  it('come first for commands, parsed or not', () => {
    const asked: unknown[] = [];
    const server = testCluster({
      sql,
      answers: {
        query: ({ text, command }) => {
          asked.push(command?.kind ?? null);
          return text.startsWith('IDENTIFY_SYSTEM')
            ? { kind: 'error', error: new WireError({ code: '57P03', message: 'no' }) }
            : undefined;
        },
      },
    });
    const client = connected(server);
    expect(errorOf(client.query('IDENTIFY_SYSTEM'))).toBe('ERROR 57P03 no');
    expect(errorOf(client.query('IDENTIFY_SYSTEM x'))).toBe('ERROR 57P03 no');
    expect(types(client.query('SHOW wal_level'))).toBe('TDCZ');
    expect(asked).toEqual(['identifySystem', null, 'show']);
  });

  it('may take their time; what comes meanwhile waits', async () => {
    let settle!: (answer: Answer) => void;
    const client = answering(({ text }) =>
      text === 'SELECT slow' ? new Promise((resolve) => (settle = resolve)) : undefined,
    );
    expect(client.query('SELECT slow')).toEqual([]);
    expect(client.query('SELECT 1')).toEqual([]);
    settle(rows('done'));
    await Promise.resolve();
    await Promise.resolve();
    expect(types(client.take())).toBe('TDCZTDCZ');
  });

  it('that fail are XX000, and are forgotten when the client is gone', async () => {
    const client = answering(() => Promise.reject(new TypeError('oops')));
    client.query('SELECT 1');
    await Promise.resolve();
    await Promise.resolve();
    expect(errorOf(client.take())).toBe('ERROR XX000 fake-walsender failed: oops');

    const gone = answering(() => Promise.resolve(rows('late')));
    gone.query('SELECT 1');
    gone.session.peerLost('gone');
    await Promise.resolve();
    expect(gone.take()).toEqual([]);
  });

  it('can hang up', () => {
    const client = answering(() => ({ kind: 'disconnect', how: 'reset' }));
    expect(client.query('SELECT 1')).toEqual([]);
    expect(client.closed).toBe('reset');
  });

  it('answer bound statements once per execution, values known', () => {
    const asked: string[] = [];
    const client = answering(({ text, values }) => {
      asked.push(values.map((value) => Buffer.from(value!).toString()).join());
      return text.includes('t') ? rows(String(asked.length)) : undefined;
    });
    const bytes = executed('SELECT a FROM t WHERE b = $1 AND c = $2', ['x', 'y']);
    expect(client.raw(bytes).take()).toEqual(
      expect.arrayContaining([
        ['1'],
        ['2'],
        ['T', ['answer', 0, 0, 25, -1, -1, 0]],
        ['D', '1'],
        ['C', 'SELECT 1'],
        ['Z', 'I'],
      ]),
    );
    // SQL cannot parse it, so it was asked for at Parse already; then again when it is bound anew.
    expect(asked).toEqual(['']);
    client.raw(Buffer.concat([serialize.bind({ values: ['x', 'y'] }), serialize.execute({}), serialize.sync()]));
    expect(asked).toEqual(['', 'x,y']);
  });

  it('answer Describe of a statement with text parameters', () => {
    const client = answering(() => rows('a', 'b', 'c'));
    const bytes = Buffer.concat([
      serialize.parse({ name: 's', text: 'SELECT $2' }),
      serialize.describe({ type: 'S', name: 's' }),
      serialize.bind({ statement: 's', values: ['x', 'y'] }),
      serialize.execute({ rows: 2 }),
      serialize.execute({ rows: 2 }),
      serialize.sync(),
    ]);
    const outlines = client.raw(bytes).take();
    expect(types(outlines)).toBe('1tT2DDsDCZ');
    expect(outlines[1]).toEqual(['t', 25, 25]);
  });

  it('have the last say, too', () => {
    const client = ordinary({
      answers: { unanswered: ({ text }) => (text === 'VACUUM t' ? rows('upstream') : undefined) },
    });
    expect(client.query('VACUUM t')).toContainEqual(['D', 'upstream']);
    expect(errorOf(client.query('VACUUM u'))).toMatch(/0A000/);
  });
});

describe('messages out of place', () => {
  it('are ignored when they are left over from a copy', () => {
    const client = ordinary();
    expect(client.message('d', 'x').message('c').message('f', 'x\0').message('H').take()).toEqual([]);
    expect(types(client.query('SELECT 1'))).toBe('TDCZ');
  });

  it('end the session when their type is unknown, and without a word when their length is', () => {
    const unknown = ordinary();
    expect(errorOf(unknown.message('?').take())).toBe('FATAL 08P01 invalid frontend message type 63');
    expect(unknown.closed).toBe('end');
    for (const hex of ['5100000003', '51ffffffff', '5300004000']) {
      const client = ordinary().raw(hex);
      expect([client.take(), client.closed]).toEqual([[], 'end']);
    }
  });

  it('say what is too long for this server, though not for PostgreSQL', () => {
    const client = ordinary().raw('5105000000');
    expect(errorOf(client.take())).toBe('FATAL 54000 a message declares 83886080 bytes; the limit is 67108864');
  });
});

describe('secrets', () => {
  it('are in no event', () => {
    const events: SessionEvent[] = [];
    const { cluster, clock } = testCluster({
      sql,
      authentication: 'password',
      users: new Map([['repl', 's3cret']]),
      observe: (event) => events.push(event),
    });
    const client = new TestClient(cluster, clock).startup({ user: 'repl', database: 'db', application_name: 'a' });
    client.message('p', 's3cret\0').query('SELECT 1');
    client.message('X');
    expect(events.map(({ kind }) => kind)).toEqual(['connection', 'startup', 'query', 'disconnect']);
    const text = JSON.stringify(events, (_, value: unknown) => (value instanceof Map ? [...value] : value));
    expect(text).not.toMatch(/s3cret|"key"/);
  });
});
