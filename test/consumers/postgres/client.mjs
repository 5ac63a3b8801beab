// node client.mjs URL PUBLICATION: prints each change as a JSON line. Confirms when a keepalive asks for it.
import postgres from 'postgres';

const [url, publication] = process.argv.slice(2);
const identity = (value) => value;
const sql = postgres(url, { publications: publication, fetch_types: false, types: texts() });

await sql.subscribe(
  '*',
  (row, { command, relation, key, old }) => {
    const table = `${relation.schema}.${relation.table}`;
    const before = (tuple) => (key ? { key: keyColumns(tuple) } : { old: values(tuple) });
    console.log(
      JSON.stringify({
        kind: command,
        table,
        ...(command === 'delete' ? before(row) : old && before(old)),
        ...(command !== 'delete' && { new: values(row) }),
      }),
    );
  },
  () => console.error('subscribed'),
  () => process.exit(0),
);

// A column outside of the key comes as null.
function keyColumns(row) {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}

// An unchanged TOAST value comes as undefined.
function values(row) {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value === undefined ? '(unchanged)' : value]),
  );
}

// Values as they came, for comparison.
function texts() {
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
