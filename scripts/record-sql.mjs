/**
 * Records what real servers answer to the queries of test/sql/corpus.yaml.
 * node scripts/record-sql.mjs DIR… writes test/sql/recorded.json. Each DIR holds one major's initdb and postgres.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';
import { connect } from './postgres-client.mjs';
import { startServer } from './postgres-server.mjs';

const tests = new URL('../test/sql/', import.meta.url);
const corpus = parse(readFileSync(new URL('corpus.yaml', tests), 'utf8'));

const entryOf = (entry) => (typeof entry === 'string' ? { sql: entry } : entry);
const applies = ({ min = 10, max = 99 }, major) => major >= min && major <= max;

/** Objects by their OIDs: `<table users>`, `<type mood>` … */
const objectsQuery = `
  SELECT oid::int8, CASE WHEN relkind IN ('r', 'p') THEN 'table ' ELSE 'index ' END || relname FROM pg_class WHERE oid >= 16384 AND relkind IN ('r', 'p', 'i', 'I')
  UNION ALL SELECT t.oid::int8, 'type ' || typname FROM pg_type t WHERE t.oid >= 16384
  UNION ALL SELECT oid::int8, 'publication ' || pubname FROM pg_publication
  UNION ALL SELECT oid::int8, 'schema ' || nspname FROM pg_namespace WHERE oid >= 16384
  UNION ALL SELECT oid::int8, 'constraint ' || conname FROM pg_constraint WHERE oid >= 16384`;

const oidType = 26;
const firstUserOid = 16384;
const unstableTypes = [3220, 1184];
/** LSNs and times that stand in the query or in a table are compared. */
const isStable = (sql) => /FROM users|'0\/16B3748'|timestamptz|\(0\)/.test(sql);

/** What differs from server to server: OIDs become names, what is unstable becomes *. test/sql/recording.ts does the same. */
function normalize(messages, entry, names) {
  const nameOf = (oid) => (oid >= firstUserOid ? (names.get(oid) ?? '<oid>') : oid);
  let fields = [];
  return messages.map((message) => {
    const [type, ...rest] = message;
    if (type === 'T') {
      fields = rest;
      return [
        'T',
        ...rest.map(([name, typeOid, typmod, length, tableOid, attnum]) => [
          name,
          nameOf(typeOid),
          typmod,
          length,
          nameOf(tableOid),
          attnum,
        ]),
      ];
    }
    if (type !== 'D') return message;
    const values = rest.map((value, i) => {
      const [name, typeOid] = fields[i];
      if (value === null) return null;
      if (entry.volatile?.includes(name) || (unstableTypes.includes(typeOid) && !isStable(entry.sql))) return '*';
      return typeOid === oidType && !entry.binary ? String(nameOf(Number(value))) : value;
    });
    return ['D', ...values];
  });
}

/** Messages as compact arrays; values as text, binary data as hex. */
function compact(messages, binary) {
  return messages.flatMap((message) => {
    switch (message.type) {
      case 'T':
        return [
          ['T', ...message.fields.map((f) => [f.name, f.typeOid, f.typeModifier, f.typeLength, f.tableOid, f.attnum])],
        ];
      case 'D':
        return [['D', ...message.values.map((value) => value?.toString(binary ? 'hex' : 'utf8') ?? null)]];
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
    const rows = (await admin.query(objectsQuery)).filter((m) => m.type === 'D').map((m) => m.values.map(String));
    const oids = new Map(rows.map(([oid, name]) => [name, oid]));
    const names = new Map(rows.map(([oid, name]) => [Number(oid), `<${name}>`]));
    const version = (await admin.query('SHOW server_version')).find((m) => m.type === 'D').values[0].toString();
    const groups = {};
    for (const [name, entries] of Object.entries(corpus.groups)) {
      const client = await open();
      groups[name] = [];
      for (const entry of entries.map(entryOf)) {
        if (!applies(entry, major)) {
          groups[name].push(undefined);
          continue;
        }
        const sql = entry.sql.replace(/\{\{(.*?)\}\}/g, (_, table) => oids.get(`table ${table}`));
        const messages = entry.params
          ? await client.extended(sql, entry.params, { types: entry.types ?? [], binary: entry.binary })
          : await client.query(sql);
        groups[name].push(normalize(compact(messages, entry.binary), entry, names));
      }
      await client.end();
    }
    await admin.end();
    return { major, version, groups };
  } finally {
    await server.stop();
  }
}

/** `10-12,14` */
function rangeOf(majors) {
  const ranges = [];
  for (const major of majors) {
    const last = ranges.at(-1);
    if (last?.to === major - 1) last.to = major;
    else ranges.push({ from: major, to: major });
  }
  return ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join();
}

/** One line for each answer, with the majors that gave it, so that differences show. */
function print(recorded) {
  const lists = Object.entries(corpus.groups).map(([name, entries]) => {
    const queries = entries.map(entryOf).map(({ sql }, i) => {
      const answers = new Map();
      for (const { major, groups } of recorded) {
        if (groups[name][i] === undefined) continue;
        const text = JSON.stringify(groups[name][i]);
        answers.set(text, [...(answers.get(text) ?? []), major]);
      }
      const lines = [...answers].map(([text, majors]) => `        ${JSON.stringify(rangeOf(majors))}: ${text}`);
      return `      {\n        "sql": ${JSON.stringify(sql)},\n${lines.join(',\n')}\n      }`;
    });
    return `    ${JSON.stringify(name)}: [\n${queries.join(',\n')}\n    ]`;
  });
  const versions = Object.fromEntries(recorded.map(({ major, version }) => [major, version]));
  return `{\n  "versions": ${JSON.stringify(versions)},\n  "groups": {\n${lists.join(',\n')}\n  }\n}\n`;
}

const recorded = [];
for (const directory of process.argv.slice(2)) recorded.push(await record(directory));
recorded.sort((a, b) => a.major - b.major);
writeFileSync(new URL('recorded.json', tests), print(recorded));
