// pg-logical-replication as its README shows it: confirmed by hand after each commit, subscribed again after an error.
import pg from 'pg';
import { LogicalReplicationService, PgoutputPlugin } from 'pg-logical-replication';
import { pick, Tables } from './tables.mjs';

const config = {
  connectionString: process.env.DATABASE_URL,
  ssl: process.env.PGSSLMODE === 'require' && { rejectUnauthorized: false },
};
// Values as they came: what types become is another question.
for (let oid = 1; oid < 16_384; oid++) pg.types.setTypeParser(oid, String);

const setup = new pg.Client(config);
await setup.connect();
await setup.query("SELECT pg_create_logical_replication_slot('cdc_slot', 'pgoutput')").catch(() => {});
await setup.end();

const tables = new Tables();
const service = new LogicalReplicationService(config, { acknowledge: { auto: false, timeoutSeconds: 1 } });
const plugin = new PgoutputPlugin({ protoVersion: 1, publicationNames: ['cdc_pub'], messages: true });

let transaction = [];
service.on('data', (lsn, message) => {
  if (message.tag === 'begin') transaction = [];
  else if (message.tag === 'commit') {
    tables.commit(message.commitEndLsn, transaction, apply);
    void service.acknowledge(message.commitEndLsn);
  } else transaction.push(message);
});

function apply(message) {
  const { tag, relation, key, old } = message;
  const table = relation && `${relation.schema}.${relation.name}`;
  if (tag === 'insert') tables.insert(table, message.new);
  if (tag === 'update') tables.upsert(table, old ?? known(key) ?? pick(message.new, relation.keyColumns), message.new);
  if (tag === 'delete') tables.delete(table, old ?? known(key));
  if (tag === 'truncate') for (const { schema, name } of message.relations) tables.truncate(`${schema}.${name}`);
}

service.on('heartbeat', (lsn, time, shouldRespond) => {
  if (shouldRespond) void service.acknowledge(lsn);
});
service.on('error', (error) => console.error(error.message));

(function proc() {
  service
    .subscribe(plugin, 'cdc_slot')
    .catch((error) => console.error(error.message))
    .then(() => setTimeout(proc, 100));
})();

process.once('SIGTERM', () => void service.stop().then(() => process.exit(0)));

/** In a key, columns outside of it are NULL. */
function known(key) {
  return key && Object.fromEntries(Object.entries(key).filter(([, value]) => value !== null));
}
