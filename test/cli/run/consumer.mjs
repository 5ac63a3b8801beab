// A consumer on the replication connection of `pg`: node consumer.mjs [MISTAKE]. Without one it does what it should: confirms the
// end of each transaction, replies to keepalives, comes back after it lost its connection, leaves with a last status and CopyDone.
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import pg from 'pg';

const [mistake = 'none', argument] = process.argv.slice(2);
const slot = process.env.SLOT ?? 'app';
let confirmed = 0n;
let seen = 0;
let client;
let stopping = false;

const parse = (bytes, offset) => bytes.readBigUInt64BE(offset);

function status(lsn) {
  const message = Buffer.alloc(39);
  message.write('d', 0);
  message.writeInt32BE(38, 1);
  message.write('r', 5);
  for (const offset of [6, 14, 22]) message.writeBigUInt64BE(lsn, offset);
  client.connection.stream.write(message);
}

function onCopyData({ chunk }) {
  if (chunk[0] === 0x6b) {
    if (chunk[17] === 1 && mistake !== 'silent') status(confirmed);
    return;
  }
  const kind = String.fromCharCode(chunk[25]);
  if (kind === 'I') seen++;
  if (kind === 'I' && mistake === 'eager') status(parse(chunk, 1) + 8n);
  if (kind !== 'C' || mistake === 'silent') return;
  confirmed = parse(chunk, 1);
  if (mistake === 'beyond') status(confirmed + 4096n);
  else if (mistake === 'plus-one') status(confirmed + 1n);
  else status(confirmed);
  if (mistake === 'exit' && seen >= 1) process.exit(Number(argument));
}

async function connect() {
  client = new pg.Client({ connectionString: process.env.DATABASE_URL, replication: 'database' });
  const lost = new Promise((resolve) => {
    client.once('end', resolve);
    client.on('error', resolve);
  });
  await client.connect();
  client.connection.on('copyData', onCopyData);
  client
    .query(`START_REPLICATION SLOT ${slot} LOGICAL 0/0 (proto_version '1', publication_names 'p')`)
    .catch((error) => console.error(error.message));
  await lost;
}

process.on('SIGTERM', () => {
  if (mistake === 'stubborn') return;
  if (mistake === 'rude') process.exit(0);
  stopping = true;
  if (mistake === 'state') writeFileSync(process.env.STATE_FILE, String(seen));
  status(confirmed);
  client.connection.stream.write(Buffer.from('6300000004', 'hex'));
  setTimeout(() => process.exit(0), 50);
});

console.log(
  `consuming ${process.env.PGDATABASE} as ${process.env.PGUSER} on ${process.env.PGHOST}:${process.env.PGPORT}`,
);
for (;;) {
  await connect();
  if (stopping || mistake === 'quitter') break;
  await new Promise((resolve) => setTimeout(resolve, 100));
}
