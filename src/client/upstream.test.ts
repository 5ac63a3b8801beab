/** A server behind a server: here a second one of ours, whose scenario answers what the first does not know. */
import { describe, expect, it } from '@jest/globals';
import { serialize } from 'pg-protocol';
import { createLiveServer, type LiveServer } from '../live/index.js';
import { readScenario, requireScenario } from '../scenario/index.js';
import { Connection, DatabaseError } from './connection.js';
import { parseTarget } from './target.js';
import { Upstream } from './upstream.js';

const behind = `
scenario: behind
answers:
  - query: /^select (xpath|xmlelement.name one)/i
    rows: [{ n: 42, b: null }]
    types: { n: int8, b: bytea }
    notices: [{ message: from behind }]
  - query: SELECT xmlelement(name failing)
    error: { code: P0001, message: raised, detail: d, hint: h }
  - query: SELECT xmlelement(name lost)
    disconnect: reset
    times: 1
`;

async function serving(text: string, upstream?: Upstream): Promise<LiveServer> {
  const scenario = requireScenario(readScenario(text, { file: 'x.yaml' }));
  const server = await createLiveServer({
    scenarios: [scenario],
    ...(upstream && { answers: upstream }),
    observe: (event) => event.kind === 'disconnect' && upstream?.end(event.pid),
  });
  await server.listen();
  return server;
}

/** A client of a server that has another behind it. */
async function between(
  use: (client: Connection, front: LiveServer, back: LiveServer, notices: readonly unknown[]) => Promise<void>,
): Promise<void> {
  const back = await serving(behind);
  const upstream = new Upstream(parseTarget(`${back.url}?sslmode=disable`));
  const front = await serving('scenario: front', upstream);
  const target = parseTarget(`${front.url}?sslmode=disable`);
  const notices: (string | undefined)[] = [];
  const client = await Connection.open(target, {
    replication: false,
    onNotice: ({ message }) => notices.push(message),
  });
  try {
    await use(client, front, back, notices);
  } finally {
    client.end();
    upstream.close();
    await front.close({ grace: 0 });
    await back.close({ grace: 0 });
  }
}

const connections = ({ history }: LiveServer): number => history.filter(({ kind }) => kind === 'connection').length;

/** Everything up to ReadyForQuery. */
async function messages(client: Connection, ...question: Buffer[]): Promise<object[]> {
  client.send(Buffer.concat([...question, serialize.sync()]));
  const received = [];
  for (;;) {
    const message = await client.receive().catch((error: unknown) => error as DatabaseError);
    if (message.name === 'readyForQuery') return received;
    received.push(message);
  }
}

describe('an upstream server', () => {
  it('answers simple queries that the server cannot, on a connection of its own', async () => {
    await between(async (client, front, back, notices) => {
      expect((await client.query('SELECT 1')).rows).toEqual([['1']]);
      expect(connections(back)).toBe(0);
      expect(await client.query("SELECT xpath('/a', '<a/>')")).toEqual({ rows: [['42', null]], tags: ['SELECT 1'] });
      expect(await client.query("SELECT xpath('/b', '<a/>')")).toEqual({ rows: [['42', null]], tags: ['SELECT 1'] });
      expect(connections(back)).toBe(1);
      expect(notices).toEqual(['from behind', 'from behind']);
      expect(front.history.some(({ kind }) => kind === 'error:sent')).toBe(false);
    });
  });

  it('passes errors on, with their fields', async () => {
    await between(async (client) => {
      const error = await client.query('SELECT xmlelement(name failing)').catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ severity: 'ERROR', code: 'P0001', message: 'raised', detail: 'd', hint: 'h' });
      expect((await client.query('SELECT 2')).rows).toEqual([['2']]);
    });
  });

  it('is asked one thing at a time, though its client did not wait for the answer', async () => {
    await between(async (_, __, back) => {
      const upstream = new Upstream(parseTarget(`${back.url}?sslmode=disable`));
      const facts = { pid: 1, peer: { address: null, port: null }, user: 'u', database: 'x', tls: false };
      const ask = (text: string) =>
        upstream.unanswered({ ...facts, parameters: new Map(), replication: 'off', text, command: null, values: [] });
      const answers = await Promise.all([ask("SELECT xpath('/a', '<a/>')"), ask('SELECT 7')]);
      const rows = answers.map((answer) =>
        answer?.kind === 'outputs'
          ? [...answer.outputs].flatMap((one) => (one.kind === 'row' ? one.values : []))
          : null,
      );
      expect(rows.map((row) => row!.map((value) => value && new TextDecoder().decode(value as Uint8Array)))).toEqual([
        ['42', null],
        ['7'],
      ]);
      upstream.close();
    });
  });

  it('says when it is gone, and is asked anew', async () => {
    await between(async (client, _, back) => {
      await expect(client.query('SELECT xmlelement(name lost)')).rejects.toThrow('the upstream server does not answer');
      expect((await client.query("SELECT xpath('/c', '<a/>')")).tags).toEqual(['SELECT 1']);
      expect(connections(back)).toBe(2);
    });
  });

  it('describes and executes statements of the extended protocol, in the formats that were asked for', async () => {
    await between(async (client) => {
      const parse = serialize.parse({ name: 's', text: 'SELECT xmlelement(name one, $1, $2)', types: [25, 142] });
      const described = await messages(client, parse, serialize.describe({ type: 'S', name: 's' }));
      expect(described).toMatchObject([
        { name: 'parseComplete' },
        { name: 'parameterDescription', dataTypeIDs: [25, 142] },
        {
          name: 'rowDescription',
          fields: [
            { name: 'n', dataTypeID: 20 },
            { name: 'b', dataTypeID: 17 },
          ],
        },
      ]);
      const executed = await messages(
        client,
        serialize.bind({ statement: 's', values: ['/a', '<a/>'] }),
        serialize.describe({ type: 'P' }),
        serialize.execute(),
      );
      expect(executed).toMatchObject([
        { name: 'bindComplete' },
        {
          name: 'rowDescription',
          fields: [
            { name: 'n', dataTypeID: 20 },
            { name: 'b', dataTypeID: 17 },
          ],
        },
        { name: 'dataRow', fields: ['42', null] },
        { name: 'commandComplete', text: 'SELECT 1' },
      ]);
    });
  });

  it('takes over when a statement turns out not to be known as it is executed', async () => {
    await between(async (client) => {
      const executed = await messages(
        client,
        serialize.parse({ text: 'SELECT xpath($1, $2)', types: [25, 142] }),
        serialize.bind({ values: ['/a', '<a/>'] }),
        serialize.execute(),
      );
      expect(executed).toMatchObject([
        { name: 'parseComplete' },
        { name: 'bindComplete' },
        { name: 'dataRow', fields: ['42', null] },
        { name: 'commandComplete', text: 'SELECT 1' },
      ]);
    });
  });

  it('is not asked for what nobody else can answer either', async () => {
    await between(async (client, front) => {
      await expect(client.query('SELECT xmlforest(1 AS one)')).rejects.toThrow('XmlExpr');
      expect(front.history.filter(({ kind }) => kind === 'error:sent')).toHaveLength(1);
      const target = parseTarget(`${front.url}?sslmode=disable`);
      const walsender = await Connection.open(target, { replication: true });
      await expect(walsender.query('BASE_BACKUP')).rejects.toBeInstanceOf(DatabaseError);
      walsender.end();
    });
  });
});
