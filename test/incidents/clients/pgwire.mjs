// pgwire as its readme shows it: what a chunk has is handled, then its lastLsn is confirmed. Connected again after an error.
import { setTimeout as delay } from 'node:timers/promises';
import { pgconnection } from 'pgwire';
import { pick, Tables } from './tables.mjs';

const { DATABASE_URL, PGSSLMODE } = process.env;
const url = PGSSLMODE === 'require' ? `${DATABASE_URL}?sslmode=require` : DATABASE_URL;
const tables = new Tables();
let stopped = false;
let connection;
let transaction = [];

process.once('SIGTERM', () => {
  stopped = true;
  void connection?.end();
  setTimeout(() => process.exit(0), 300);
});

const setup = pgconnection({}, url);
await setup.query("SELECT pg_create_logical_replication_slot('cdc_slot', 'pgoutput')").catch(() => {});
const [version] = await setup.query('SHOW server_version_num');
await setup.end();

while (!stopped) {
  connection = pgconnection({ replication: 'database' }, url);
  try {
    const stream = connection.logicalReplication({
      slot: 'cdc_slot',
      options: { proto_version: 1, publication_names: 'cdc_pub', ...(version >= 140_000 && { messages: 'true' }) },
      ackInterval: 500,
    });
    for await (const { lastLsn, messages } of stream.pgoutputDecode()) {
      for (const message of messages) {
        if (message.tag === 'begin') transaction = [];
        else if (message.tag === 'commit') tables.commit(message.commitEndLsn, transaction, apply);
        else transaction.push(message);
      }
      stream.ack(lastLsn);
    }
  } catch (error) {
    if (!stopped) console.error(error.message, error.cause ?? '');
  } finally {
    await connection.end().catch(() => {});
  }
  await delay(100);
}

function apply({ tag, relation, relations, beforeRaw, afterRaw }) {
  const table = relation && `${relation.schema}.${relation.name}`;
  if (tag === 'insert') tables.insert(table, afterRaw);
  if (tag === 'update') tables.upsert(table, known(beforeRaw) ?? pick(afterRaw, keysOf(relation)), afterRaw);
  if (tag === 'delete') tables.delete(table, known(beforeRaw));
  if (tag === 'truncate') for (const { schema, name } of relations) tables.truncate(`${schema}.${name}`);
}

function keysOf({ columns }) {
  return columns.filter(({ flags }) => flags & 1).map(({ name }) => name);
}

/** In a key, columns outside of it are undefined. */
function known(row) {
  return row && Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));
}
