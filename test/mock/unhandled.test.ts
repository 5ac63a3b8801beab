import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Client } from 'pg';
import { query, setupWalsender, type ListenOptions } from '../../src/index.js';

// What no part of this program knows how to answer.
const unknown = "select xpath('/a', $$<a/>$$)";

async function withClient<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

async function ask(options: ListenOptions, use: (client: Client) => Promise<unknown>): Promise<unknown> {
  await using server = await setupWalsender().listen(options);
  return await withClient(server.url, use);
}

afterEach(() => {
  jest.restoreAllMocks();
});

describe('onUnhandledQuery', () => {
  it('error: the client gets 0A000 in both protocols, the console an error', async () => {
    const error = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    await ask({}, async (client) => {
      await expect(client.query(unknown)).rejects.toMatchObject({
        code: '0A000',
        message: expect.stringContaining('xpath'),
      });
      await expect(client.query('select xpath($1::text, $2::xml)', ['/a', '<a/>'])).rejects.toMatchObject({
        code: '0A000',
      });
    });
    expect(error.mock.calls.map(([text]) => String(text).split('\n')[2]?.trim())).toEqual([
      unknown,
      'select xpath($1::text, $2::xml)',
    ]);
  });

  it('warn: a warning', async () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    await ask({ onUnhandledQuery: 'warn' }, (client) =>
      expect(client.query(unknown)).rejects.toMatchObject({ code: '0A000' }),
    );
    expect(warn.mock.lastCall?.[0]).toContain(`query('${unknown.replaceAll("'", "\\'")}', () => query.rows(`);
  });

  it('a function: it prints if it likes, and may answer', async () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const asked: string[] = [];
    const options: ListenOptions = {
      onUnhandledQuery: ({ text }, print) => {
        asked.push(text);
        print.warning();
        return text === unknown ? query.rows([{ xpath: '{<a/>}' }]) : undefined;
      },
    };
    await ask(options, async (client) => {
      expect((await client.query(unknown)).rows).toEqual([{ xpath: '{<a/>}' }]);
      await expect(client.query('select xpath($1::text, $2::xml)', ['/a', '<a/>'])).rejects.toMatchObject({
        code: '0A000',
      });
    });
    expect(asked).toContain(unknown);
    expect(warn).toHaveBeenCalled();
  });

  it('bypass: the upstream is asked', async () => {
    await using upstream = await setupWalsender(
      query(/xpath/, ({ values }) => query.rows([{ xpath: ['upstream', ...values].join(' ') }])),
    ).listen();
    await ask({ onUnhandledQuery: 'bypass', upstream: upstream.url }, async (client) => {
      expect((await client.query(unknown)).rows).toEqual([{ xpath: 'upstream' }]);
      expect((await client.query('select xpath($1::text, $2::xml)', ['/a', '<a/>'])).rows).toEqual([
        { xpath: 'upstream /a <a/>' },
      ]);
      expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    });
    const asked = upstream.history.filter((event) => event.kind === 'query').map(({ text }) => text);
    expect(asked).toEqual([unknown, 'select xpath($1::text, $2::xml)']);
  });

  it('bypass: tells when the upstream does not answer', async () => {
    const closed = await setupWalsender().listen();
    const { url } = closed;
    await closed.close();
    await ask({ onUnhandledQuery: 'bypass', upstream: url }, (client) =>
      expect(client.query(unknown)).rejects.toMatchObject({
        code: '08006',
        message: expect.stringContaining('ECONNREFUSED'),
      }),
    );
  });
});
