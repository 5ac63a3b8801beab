// postgres (porsager) as its README shows it: sql.subscribe('*'). It has its own temporary slot, says nothing of transactions,
// and connects again by itself.
import postgres from 'postgres';
import { pick, Tables } from './tables.mjs';

const ssl = process.env.PGSSLMODE === 'require' && 'require';
const sql = postgres(process.env.DATABASE_URL, { publications: 'cdc_pub', ssl, fetch_types: false, types: texts() });
const tables = new Tables();

process.once('SIGTERM', () => void sql.end({ timeout: 1 }).then(() => process.exit(0)));

await sql.subscribe(
  '*',
  (row, { command, relation, key, old }) => {
    const table = `${relation.schema}.${relation.table}`;
    const keys = relation.keys.map(({ name }) => name);
    const before = command === 'delete' ? row : old;
    if (command === 'insert') tables.insert(table, row);
    if (command === 'update') tables.upsert(table, !before ? pick(row, keys) : key ? pick(before, keys) : before, row);
    if (command === 'delete') tables.delete(table, key ? pick(row, keys) : row);
    tables.save();
  },
  () => {},
  () => {},
);

// Values as they came: what types become is another question.
function texts() {
  const identity = (value) => value;
  const types = {
    number: [21, 23, 26, 700, 701],
    boolean: [16],
    date: [1082, 1114, 1184],
    json: [114, 3802],
    bytea: [17],
  };
  return Object.fromEntries(
    Object.entries(types).map(([name, from]) => [name, { to: 25, from, serialize: identity, parse: identity }]),
  );
}
