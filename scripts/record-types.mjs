/**
 * Records what real servers make of many inputs of each data type: the text that output functions print (under the
 * default settings and some others), the bytes of the send functions, or the error. The tests in test/types compare
 * src/postgres with these files.
 *
 *   node scripts/record-types.mjs [--only=FAMILY] test/types PROGRAM_FOLDER...
 *
 * A PROGRAM_FOLDER holds initdb and postgres of one major; give one of each from 10 to 18. The inputs are in
 * type-inputs.mjs; those made at random come from a fixed seed, so a second run gives the same files.
 *
 * A file: { settings, oids, since, order, types: { NAME: [[input, outcome], ...] } }. An outcome is [text, hex of the
 * bytes sent where they are not the text itself, { setting: text } where it differs] or { error, message }; where majors
 * differ, an object from each major on which the outcome changed to the outcome. `oids` are those of user-defined types,
 * `since` the first majors of types that the oldest ones lack, `order` the ranks of a type's accepted inputs on the last
 * server. catalog/pg-type.json: the rows of pg_type that built-in types and their arrays have, and on which majors.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from './postgres-client.mjs';
import { startServer } from './postgres-server.mjs';
import { families, setup } from './type-inputs.mjs';

const only = process.argv[2]?.startsWith('--only=') ? process.argv[2].slice(7) : undefined;
const [outputFolder, ...programFolders] = process.argv.slice(only === undefined ? 2 : 3);
if (programFolders.length === 0) {
  console.error('usage: node scripts/record-types.mjs [--only=FAMILY] OUTPUT_FOLDER PROGRAM_FOLDER...');
  process.exit(2);
}

const errorOf = (messages) => messages.find(({ type }) => type === 'E')?.fields;
const rowsOf = (messages) => messages.filter(({ type }) => type === 'D').map(({ values }) => values);

/** Rows as text. */
async function run(client, text) {
  const messages = await client.query(text);
  const error = errorOf(messages);
  if (error !== undefined) throw new Error(`${error.M}: ${text}`);
  return rowsOf(messages).map((row) => row.map(String));
}

const literal = (text) => `'${text.replaceAll("'", "''")}'`;

/** Outcomes of the values of one type on one server, and their ranks by the type's order if it has one. */
async function recordType(client, type, values, settings) {
  const outcomes = [];
  await run(client, `CREATE TEMP TABLE recorded (id int, v ${type})`);
  for (const [id, value] of values.entries()) {
    const error = errorOf(await client.query(`INSERT INTO recorded VALUES (${id}, ${literal(value)})`));
    if (error !== undefined) outcomes[id] = { error: error.C, message: error.M };
  }
  for (const [id, text] of await run(client, 'SELECT id, v FROM recorded')) outcomes[id] = [text];
  const sent = await client.extended('SELECT id, v FROM recorded', [], { binary: true });
  for (const [id, bytes] of rowsOf(sent)) {
    const outcome = outcomes[id.readInt32BE()];
    outcome[1] = bytes.equals(Buffer.from(outcome[0])) ? null : bytes.toString('hex');
  }
  for (const [name, assignments] of Object.entries(settings)) {
    for (const [key, value] of Object.entries(assignments)) await run(client, `SET ${key} = ${literal(value)}`);
    for (const [id, text] of await run(client, 'SELECT id, v FROM recorded')) {
      if (text !== outcomes[id][0]) outcomes[id][2] = { ...outcomes[id][2], [name]: text };
    }
    await run(client, 'RESET ALL');
  }
  const ranked = await client.query('SELECT id, dense_rank() OVER (ORDER BY v) FROM recorded');
  const ranks = errorOf(ranked) === undefined ? values.map(() => null) : undefined;
  for (const [id, rank] of rowsOf(ranked)) ranks[id] = Number(rank);
  await run(client, 'DROP TABLE recorded');
  return { outcomes: outcomes.map((outcome) => (Array.isArray(outcome) ? trim(outcome) : outcome)), ranks };
}

function trim(outcome) {
  const [text, hex = null, variants] = outcome;
  return variants !== undefined ? [text, hex, variants] : hex !== null ? [text, hex] : [text];
}

/** { "10": a, "11": a, "12": b } → a object of the majors where it changed; just a where it never did. */
function byMajor(outcomes) {
  const changes = {};
  let last;
  for (const [major, outcome] of outcomes) {
    const text = JSON.stringify(outcome);
    if (text !== last) changes[major] = outcome;
    last = text;
  }
  const majors = Object.keys(changes);
  return majors.length === 1 ? changes[majors[0]] : changes;
}

const recorded = families
  .filter(({ name }) => only === undefined || name === only)
  .map((family) => ({ ...family, settings: family.settings ?? {}, oids: {}, order: {}, results: new Map() }));
const catalog = new Map();
for (const folder of programFolders) {
  const server = await startServer(folder, { wal_level: 'replica' });
  try {
    const client = await connect(server.port, { user: 'postgres', database: 'postgres', client_encoding: 'UTF8' });
    await record(client);
    await client.end();
  } finally {
    await server.stop();
  }
}

/** Rows of pg_type as JSON → majors. */
async function recordCatalog(client, major) {
  const rows = await run(
    client,
    `SELECT t.oid, t.typname, t.typlen, t.typarray, t.typdelim, (t.typsend <> 0)::int, t.typtype, t.typelem
     FROM pg_type t LEFT JOIN pg_type e ON e.oid = t.typelem
     WHERE t.typnamespace = 11 AND t.typtype NOT IN ('c', 'p') AND e.typtype IS DISTINCT FROM 'c' ORDER BY t.oid`,
  );
  for (const [oid, name, length, arrayOid, delimiter, sends, kind, element] of rows) {
    const row = JSON.stringify([
      Number(oid),
      name,
      Number(length),
      Number(arrayOid),
      delimiter,
      sends === '1',
      kind,
      Number(element),
    ]);
    catalog.set(row, [...(catalog.get(row) ?? []), major]);
  }
}

async function record(client) {
  const [[version]] = await run(client, 'SHOW server_version_num');
  const major = Math.floor(Number(version) / 10_000);
  console.error(`recording ${major}`);
  await recordCatalog(client, major);
  for (const statement of setup) await run(client, statement);
  for (const family of recorded) {
    if (family.userTypes) {
      const rows = await run(client, 'SELECT oid, typname FROM pg_type WHERE oid >= 16384 ORDER BY typname');
      family.oids[major] = Object.fromEntries(rows.map(([oid, name]) => [name, Number(oid)]));
    }
    for (const { type, min = 10, values } of family.types) {
      if (major < min) continue;
      const { outcomes, ranks } = await recordType(client, type, values, family.settings);
      if (ranks !== undefined) family.order[type] = ranks;
      if (!family.results.has(type))
        family.results.set(
          type,
          values.map((value) => [value, []]),
        );
      family.results.get(type).forEach(([, list], i) => list.push([major, outcomes[i]]));
    }
  }
}

if (only === undefined) {
  const rows = [...catalog].map(
    ([row, majors]) => `  ${row.slice(0, -1)},${Math.min(...majors)},${Math.max(...majors)}]`,
  );
  writeFileSync(join(outputFolder, 'catalog/pg-type.json'), `[\n${rows.join(',\n')}\n]\n`);
}

for (const { name, settings, oids, order, results, types: inputs } of recorded) {
  const since = Object.fromEntries(inputs.filter(({ min }) => min !== undefined).map(({ type, min }) => [type, min]));
  const types = [...results].map(([type, rows]) => {
    const lines = rows.map(([value, outcomes]) => `    ${JSON.stringify([value, byMajor(outcomes)])}`);
    return `  ${JSON.stringify(type)}: [\n${lines.join(',\n')}\n  ]`;
  });
  const head = Object.entries({ settings, oids, since, order }).map(
    ([key, value]) => `"${key}": ${JSON.stringify(value)},`,
  );
  writeFileSync(join(outputFolder, `${name}.json`), `{\n${head.join('\n')}\n"types": {\n${types.join(',\n')}\n}\n}\n`);
}
