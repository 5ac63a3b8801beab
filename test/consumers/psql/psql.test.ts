/** psql speaks the walsender's commands, and SQL beside them, on one connection. */
import { describe, expect, it } from '@jest/globals';
import { serve, start } from '../programs.js';

const psql = '/usr/lib/postgresql/15/bin/psql';

describe('psql', () => {
  it('manages slots on a replication connection', async () => {
    const server = await serve('scenarios/key-change.yaml');
    const commands = [
      'IDENTIFY_SYSTEM',
      'CREATE_REPLICATION_SLOT "kept" LOGICAL pgoutput (SNAPSHOT \'nothing\')',
      'SHOW server_version',
      "SELECT slot_name, plugin, active, confirmed_flush_lsn FROM pg_replication_slots WHERE slot_name = 'kept'",
      'DROP_REPLICATION_SLOT kept',
      'SELECT count(*) FROM pg_replication_slots',
    ];
    const url = `${server.url.href}?replication=database`;
    const client = start(psql, [url, '-AtX', ...commands.flatMap((command) => ['-c', command])]);
    const status = await client.ended;
    expect({ status, errors: client.errors, lines: client.output.toString().trimEnd().split('\n') }).toEqual({
      status: 0,
      errors: '',
      lines: [
        '7429138812345678901|1|0/1500000|key-change',
        'kept|0/1500000||pgoutput',
        expect.stringMatching(/^17\./),
        'kept|pgoutput|f|0/1500000',
        'DROP_REPLICATION_SLOT',
        '0',
      ],
    });
  });

  it('describes a table on an ordinary connection', async () => {
    const server = await serve('scenarios/key-change.yaml');
    const client = start(psql, [server.url.href, '-AX', '-c', '\\d order_lines', '-c', 'TABLE customers']);
    const status = await client.ended;
    expect({ status, errors: client.errors }).toEqual({ status: 0, errors: '' });
    const output = client.output.toString();
    expect(output).toContain('order_no|bigint|');
    expect(output).toContain('amount|numeric(10,2)|');
    expect(output).toContain('PRIMARY KEY, btree (order_no, line_no)');
    expect(output).toContain('"shop"');
    expect(output).toContain('101|Ann Miller|ann.miller@example.com\n');
  });
});
