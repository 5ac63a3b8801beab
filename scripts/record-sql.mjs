/**
 * Records what real servers answer to the queries of test/sql/corpus.yaml.
 * node scripts/record-sql.mjs DIR… writes test/sql/recorded/MAJOR.json. Each DIR holds one major's initdb and postgres.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';
import { connect } from './postgres-client.mjs';
import { startServer } from './postgres-server.mjs';

const tests = new URL('../test/sql/', import.meta.url);
const corpus = parse(readFileSync(new URL('corpus.yaml', tests), 'utf8'));

const entryOf = (entry) => (typeof entry === 'string' ? { sql: entry } : entry);
const applies = ({ min = 10, max = 99 }, major) => major >= min && major <= max;

/** Objects by their OIDs: `table users`, `index users_email`, `type mood`, `publication app_pub` … */
const objectsQuery = `
  SELECT oid::int8, CASE WHEN relkind IN ('r', 'p') THEN 'table ' ELSE 'index ' END || relname FROM pg_class WHERE oid >= 16384 AND relkind IN ('r', 'p', 'i', 'I')
  UNION ALL SELECT t.oid::int8, 'type ' || typname FROM pg_type t WHERE t.oid >= 16384
  UNION ALL SELECT oid::int8, 'publication ' || pubname FROM pg_publication
  UNION ALL SELECT oid::int8, 'schema ' || nspname FROM pg_namespace WHERE oid >= 16384
  UNION ALL SELECT oid::int8, 'constraint ' || conname FROM pg_constraint WHERE oid >= 16384`;

/** Messages as compact arrays; values as text, binary data as hex. */
function compact(messages) {
  return messages.flatMap((message) => {
    switch (message.type) {
      case 'T':
        return [
          ['T', ...message.fields.map((f) => [f.name, f.typeOid, f.typeModifier, f.typeLength, f.tableOid, f.attnum])],
        ];
      case 'D':
        return [['D', ...message.values.map((value) => value?.toString('utf8') ?? null)]];
      case 'C':
        return [['C', message.tag]];
      case 'E':
      case 'N':
        return [[message.type, message.fields]];
      case 'S':
        return [['S', message.name, message.value]];
      case 'Z':
        return [['Z', message.status]];
      case 't':
        return [['t', ...message.types]];
      case 'H':
        return [['H', message.format, message.columns]];
      case 'd':
        return [['d', message.data.toString('hex')]];
      case 'I':
      case 'c':
      case 'n':
        return [[message.type]];
      default:
        return [];
    }
  });
}

async function record(binDir) {
  const server = await startServer(binDir);
  try {
    const open = () => connect(server.port, { user: 'postgres', database: 'postgres' });
    const admin = await open();
    const major = Math.trunc(
      Number((await admin.query('SHOW server_version_num')).find((m) => m.type === 'D').values[0]) / 10000,
    );
    for (const entry of corpus.setup.map(entryOf)) {
      if (!applies(entry, major)) continue;
      const error = (await admin.query(entry.sql)).find((message) => message.type === 'E');
      if (error) throw new Error(`${error.fields.M}: ${entry.sql}`);
    }
    const rows = (await admin.query(objectsQuery)).filter((m) => m.type === 'D');
    const objects = Object.fromEntries(rows.map(({ values: [oid, name] }) => [name.toString(), Number(oid)]));
    const version = (await admin.query('SHOW server_version')).find((m) => m.type === 'D').values[0].toString();
    const groups = {};
    for (const [name, entries] of Object.entries(corpus.groups)) {
      const client = await open();
      groups[name] = [];
      for (const entry of entries.map(entryOf)) {
        if (!applies(entry, major)) continue;
        const sql = entry.sql.replace(/\{\{(.*?)\}\}/g, (_, table) => objects[`table ${table}`]);
        const messages = entry.params
          ? await client.extended(sql, entry.params, { types: entry.types ?? [] })
          : await client.query(sql);
        groups[name].push({ sql: entry.sql, messages: compact(messages) });
      }
      await client.end();
    }
    await admin.end();
    return { major, version, objects, groups };
  } finally {
    await server.stop();
  }
}

/** One line for each query, so that differences show. */
function print({ version, objects, groups }) {
  const lists = Object.entries(groups).map(([name, entries]) => {
    const lines = entries.map((entry) => `      ${JSON.stringify(entry)}`);
    return `    ${JSON.stringify(name)}: [\n${lines.join(',\n')}\n    ]`;
  });
  return `{\n  "version": ${JSON.stringify(version)},\n  "objects": ${JSON.stringify(objects)},\n  "groups": {\n${lists.join(',\n')}\n  }\n}\n`;
}

mkdirSync(new URL('recorded/', tests), { recursive: true });
for (const directory of process.argv.slice(2)) {
  const recorded = await record(directory);
  writeFileSync(new URL(`recorded/${recorded.major}.json`, tests), print(recorded));
}
