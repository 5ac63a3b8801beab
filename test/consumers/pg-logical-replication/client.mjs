// node client.mjs URL SLOT PUBLICATION: prints each change as a JSON line and confirms each transaction.
import pg from 'pg';
import { LogicalReplicationService, PgoutputPlugin } from 'pg-logical-replication';

const [url, slot, publication] = process.argv.slice(2);
// Values as they came, for comparison.
for (const oid of Object.values(pg.types.builtins)) pg.types.setTypeParser(oid, String);

const service = new LogicalReplicationService(
  { connectionString: url },
  { acknowledge: { auto: false, timeoutSeconds: 0 } },
);
const plugin = new PgoutputPlugin({ protoVersion: 1, publicationNames: [publication], messages: true });

service.on('data', (lsn, message) => {
  const change = describe(message);
  if (change) console.log(JSON.stringify(change));
  if (message.tag === 'commit') service.acknowledge(message.commitEndLsn);
});
service.on('heartbeat', (lsn, _, shouldRespond) => {
  if (shouldRespond) service.acknowledge(lsn);
});
service.on('error', fail);
await service.subscribe(plugin, slot).catch(fail);

function fail(error) {
  // The server ends the connection once everything has been confirmed.
  if (/Connection terminated|terminating connection/.test(error.message)) process.exit(0);
  console.error(error);
  process.exit(1);
}

function describe({ tag, relation, relations, ...message }) {
  const table = relation && `${relation.schema}.${relation.name}`;
  switch (tag) {
    case 'insert':
      return { kind: tag, table, new: row(message.new) };
    case 'update':
      return { kind: tag, table, ...before(message), new: row(message.new) };
    case 'delete':
      return { kind: tag, table, ...before(message) };
    case 'truncate':
      return {
        kind: tag,
        tables: relations.map(({ schema, name }) => `${schema}.${name}`),
        cascade: message.cascade,
        restartIdentity: message.restartIdentity,
      };
    case 'message':
      return {
        kind: tag,
        prefix: message.prefix,
        content: Buffer.from(message.content).toString('hex'),
        transactional: message.transactional,
      };
  }
}

function before({ key, old }) {
  return { ...(key && { key: row(key) }), ...(old && { old: row(old) }) };
}

// An unchanged TOAST value comes as undefined.
function row(values) {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value === undefined ? '(unchanged)' : value]),
  );
}
