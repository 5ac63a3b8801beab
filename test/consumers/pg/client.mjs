// node client.mjs URL SLOT PUBLICATION: makes the slot, prints each payload in hex and confirms each transaction.
import pg from 'pg';

const [url, slot, publication] = process.argv.slice(2);
const client = new pg.Client({ connectionString: url, replication: 'database' });
// The server ends the connection once everything has been confirmed.
client.on('error', (error) => console.error(error.message));
await client.connect();
await client.query(`CREATE_REPLICATION_SLOT ${slot} LOGICAL pgoutput NOEXPORT_SNAPSHOT`);

client.connection.on('copyData', ({ chunk }) => {
  const isData = chunk[0] === 0x77;
  if (isData) console.log(chunk.toString('hex', 25));
  // A Commit's header is where the transaction ends; a keepalive's position is right where no transaction is open.
  if ((isData && chunk[25] === 0x43) || (!isData && chunk[17] === 1)) confirm(chunk.readBigUInt64BE(1));
});
const options = `proto_version '1', publication_names '${publication}', messages 'true'`;
await client
  .query(`START_REPLICATION SLOT ${slot} LOGICAL 0/0 (${options})`)
  .catch((error) => console.error(error.message));
await client.end();

function confirm(lsn) {
  const status = Buffer.alloc(34);
  status.write('r');
  for (const offset of [1, 9, 17]) status.writeBigUInt64BE(lsn, offset);
  client.connection.sendCopyFromChunk(status);
}
