// node client.mjs URL SLOT PUBLICATION: prints each change as a JSON line and confirms each transaction.
import { pgconnection } from 'pgwire';

const [url, slot, publication] = process.argv.slice(2);
const connection = pgconnection({ replication: 'database' }, url);
const stream = connection.logicalReplication({
  slot,
  options: { proto_version: '1', publication_names: publication, messages: 'true' },
  ackInterval: 200,
});

try {
  for await (const { messages } of stream.pgoutputDecode()) {
    for (const message of messages) {
      const change = describe(message);
      if (change) console.log(JSON.stringify(change));
      if (message.tag === 'commit') stream.ack(message.commitEndLsn);
    }
  }
} catch (error) {
  // The server ends the connection once everything has been confirmed.
  console.error(error);
} finally {
  await connection.end();
}

function describe(message) {
  const { tag, relation } = message;
  const table = relation && `${relation.schema}.${relation.name}`;
  switch (tag) {
    case 'insert':
      return { kind: tag, table, new: row(message.afterRaw) };
    case 'update':
      return {
        kind: tag,
        table,
        ...(message.beforeRaw && { before: old(message.beforeRaw) }),
        new: row(message.afterRaw),
      };
    case 'delete':
      return { kind: tag, table, before: old(message.beforeRaw) };
    case 'truncate':
      return {
        kind: tag,
        tables: message.relations.map(({ schema, name }) => `${schema}.${name}`),
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

// A column outside of the key comes as undefined.
function old(values) {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

// An unchanged TOAST value comes as undefined.
function row(values) {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value === undefined ? '(unchanged)' : value]),
  );
}
