/** SQL that changes what a stream will be, and reads it. */
import { describe, expect, it } from '@jest/globals';
import { Connection, createSlot, parseTarget, ReplicationStream } from '../../src/client/index.js';
import { createLiveServer } from '../../src/live/index.js';
import { decode } from '../../src/pgoutput/index.js';
import { readScenario, requireScenario } from '../../src/scenario/index.js';

const text = `
scenario: x
tables:
  t: { columns: { id: int primary key } }
  u: { columns: { id: int primary key } }
publications: { declared: { tables: [t] } }
stream:
  - insert: u
    row: { id: 1 }
  - transaction:
      changes:
        - alter: t
          add_column: { n: int }
        - insert: t
          row: { id: 1, n: 1 }
  - insert: t
    row: { id: 2 }
`;

async function serving(
  scenarioText: string,
  version: string,
  use: (
    session: Connection,
    connect: (replication: boolean) => Promise<Connection>,
    notices: string[],
  ) => Promise<void>,
): Promise<void> {
  const scenario = requireScenario(readScenario(scenarioText, { file: 'x.yaml', serverVersion: version }));
  const server = await createLiveServer({ scenarios: [scenario] });
  const target = parseTarget(`${await server.listen()}?sslmode=disable`);
  const notices: string[] = [];
  const onNotice = ({ message }: { message: string | undefined }): void => void notices.push(message ?? '');
  const connect = (replication: boolean): Promise<Connection> => Connection.open(target, { replication, onNotice });
  try {
    await use(await connect(false), connect, notices);
  } finally {
    await server.close({ grace: 0 });
  }
}

/** Kinds of messages and values of rows up to the first keepalive after data. */
async function streamed(connection: Connection, publication: string): Promise<string[]> {
  await createSlot(connection, publication, true);
  const stream = await ReplicationStream.start(connection, publication, 0n, [
    ['proto_version', '1'],
    ['publication_names', publication],
  ]);
  const received: string[] = [];
  for (;;) {
    const message = await stream.next();
    if (message?.kind === 'keepalive' && received.length > 0) return received;
    if (message?.kind !== 'data') continue;
    const decoded = decode(message.payload, { protoVersion: 1, streaming: 'off', inStream: false });
    if (decoded.kind === 'insert') received.push(String(decoded.newTuple));
    if (decoded.kind === 'relation') received.push(decoded.name);
  }
}

describe('a publication made before anybody has read the stream', () => {
  it('is there from the start, whatever the stream does to the catalogs', async () => {
    await serving(text, '16', async (session, connect) => {
      await session.query('CREATE PUBLICATION mine FOR TABLE u; ALTER PUBLICATION mine ADD TABLE t');
      expect((await session.query('SELECT pubname FROM pg_publication ORDER BY 1')).rows).toEqual([
        ['declared'],
        ['mine'],
      ]);
      expect(await streamed(await connect(true), 'mine')).toEqual(['u', '1', 't', '1,1', 't', '2,']);
    });
  });

  it('is not, when its transaction is rolled back', async () => {
    await serving(text, '16', async (session, connect) => {
      await session.query('BEGIN; CREATE PUBLICATION mine FOR ALL TABLES; ROLLBACK');
      await expect(streamed(await connect(true), 'mine')).rejects.toThrow('publication "mine" does not exist');
    });
  });

  it('is the only one where none is declared', async () => {
    await serving(text.replace(/publications.*/, ''), '16', async (session, connect) => {
      await session.query('CREATE PUBLICATION mine FOR TABLE u');
      expect(await streamed(await connect(true), 'mine')).toEqual(['u', '1']);
      await expect(streamed(await connect(true), 'other')).rejects.toThrow('publication "other" does not exist');
    });
  });

  it('has its place in WAL once somebody has', async () => {
    await serving(text, '16', async (session, connect) => {
      await streamed(await connect(true), 'declared');
      await session.query('CREATE PUBLICATION mine FOR ALL TABLES');
      await expect(streamed(await connect(true), 'mine')).rejects.toThrow('publication "mine" does not exist');
    });
  });
});

describe('changes read by SQL', () => {
  it('come with the notices of decoding', async () => {
    await serving(text, '18', async (session, _, notices) => {
      await session.query("SELECT pg_create_logical_replication_slot('s', 'pgoutput')");
      const options = "'proto_version', '1', 'publication_names', 'nope'";
      await session.query(`SELECT * FROM pg_logical_slot_get_binary_changes('s', NULL, NULL, ${options})`);
      expect(notices).toEqual(['skipped loading publication "nope"']);
    });
  });
});
