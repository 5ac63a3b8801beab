/**
 * Records what the system catalogs of real servers hold: settings, types, relations with their columns, function names.
 * node scripts/record-catalogs.mjs DIR… writes src/sql/system/*.ts. Each DIR holds one major's initdb and postgres.
 */
import { writeFileSync } from 'node:fs';
import { connect } from './postgres-client.mjs';
import { startServer } from './postgres-server.mjs';

const out = new URL('../src/sql/system/', import.meta.url);

const settingsQuery = `SELECT name, vartype, context, unit, min_val, max_val, array_to_string(enumvals, ','), boot_val, reset_val FROM pg_settings`;

const typesQuery = (
  major,
) => `SELECT t.oid, typname, typlen, typtype, typcategory, typispreferred, typdelim, typelem, typarray,
    typinput::text, typoutput::text, typreceive::text, typsend::text, typmodin::text, typmodout::text, typbyval, typalign, typstorage,
    coalesce((SELECT rngsubtype::int8 FROM pg_range WHERE rngtypid = t.oid),
      ${major >= 14 ? '(SELECT rngtypid::int8 FROM pg_range WHERE rngmultitypid = t.oid)' : 'NULL::int8'}, 0), typcollation
  FROM pg_type t WHERE typnamespace = 11 AND typtype <> 'c'
    AND NOT EXISTS (SELECT FROM pg_type e JOIN pg_class c ON e.typrelid = c.oid WHERE e.oid = t.typelem)`;

/** Types by OID, domains (information_schema's) by name. */
const relationsQuery = `SELECT n.nspname, c.relname, c.relkind, c.oid,
    (SELECT string_agg(a.attname || ':' || CASE t.typtype WHEN 'd' THEN t.typname ELSE t.oid::text END, ' ' ORDER BY a.attnum)
      FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
      WHERE a.attrelid = c.oid AND (a.attnum > 0 OR a.attname = 'oid') AND NOT a.attisdropped)
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname IN ('pg_catalog', 'information_schema') AND c.relkind IN ('r', 'v') AND c.relname !~ '^_pg_'`;

/** What a query can name: no input and output functions, no support functions of operators, aggregates and index methods. */
const windowFunctions = `'row_number', 'rank', 'dense_rank', 'percent_rank', 'cume_dist', 'ntile', 'lag', 'lead', 'first_value', 'last_value', 'nth_value'`;

const functionsQuery = `SELECT proname,
    coalesce((SELECT string_agg(CASE WHEN i = pronargs AND provariadic <> 0 THEN '*' ELSE '' END || typname, ',' ORDER BY i)
      FROM unnest(proargtypes) WITH ORDINALITY a (arg, i) JOIN pg_type ON pg_type.oid = arg), '')
    || CASE WHEN p.oid IN (SELECT aggfnoid FROM pg_aggregate) OR proname IN (${windowFunctions}) THEN '=>' WHEN proretset THEN '>>' ELSE '>' END || r.typname
  FROM pg_proc p JOIN pg_type r ON r.oid = prorettype
  WHERE pronamespace = 11 AND prorettype NOT IN (2281, 269, 325, 2279) AND NOT 2281 = ANY (proargtypes)
    AND NOT EXISTS (SELECT FROM pg_type WHERE p.oid IN (typinput, typoutput, typsend, typreceive, typmodin, typmodout))
    AND (NOT EXISTS (SELECT FROM pg_aggregate a WHERE p.oid IN (aggtransfn, aggfinalfn, aggcombinefn, aggserialfn, aggdeserialfn))
      OR proname ~ '^array_')
    AND (NOT EXISTS (SELECT FROM pg_amproc a WHERE amproc = p.oid) OR proname = 'hashtext')
    AND (NOT EXISTS (SELECT FROM pg_operator o WHERE oprcode = p.oid) OR proname ~ '^(starts_with|mod|pow|position|array_)')
    AND proname !~ '_support$' AND proname !~ '^(RI_FKey|binary_upgrade)'`;

const castsQuery = `SELECT s.typname, t.typname || '/' || castcontext::text || castmethod::text
  FROM pg_cast JOIN pg_type s ON s.oid = castsource JOIN pg_type t ON t.oid = casttarget
  WHERE s.typnamespace = 11 AND t.typnamespace = 11 ORDER BY 1, 2`;

const operatorsQuery = `SELECT oprname || ' ' || r.typname, coalesce(a.typname, '') || ',' || coalesce(b.typname, '')
  FROM pg_operator LEFT JOIN pg_type a ON a.oid = oprleft LEFT JOIN pg_type b ON b.oid = oprright
    JOIN pg_type r ON r.oid = oprresult
  WHERE oprnamespace = 11 ORDER BY 1, 2`;

async function record(binDir) {
  const server = await startServer(binDir);
  try {
    const client = await connect(server.port, { user: 'postgres', database: 'postgres' });
    const rows = async (query) => {
      const messages = await client.query(query);
      const error = messages.find((message) => message.type === 'E');
      if (error) throw new Error(`${error.fields.M}: ${query}`);
      return messages.filter((m) => m.type === 'D').map((m) => m.values.map((v) => v?.toString() ?? null));
    };
    const major = Math.trunc(Number((await rows('SHOW server_version_num'))[0][0]) / 10000);
    const recorded = {
      major,
      settings: await rows(settingsQuery),
      types: await rows(typesQuery(major)),
      relations: await rows(relationsQuery),
      functions: await rows(functionsQuery),
      casts: await rows(castsQuery),
      operators: await rows(operatorsQuery),
    };
    await client.end();
    return recorded;
  } finally {
    await server.stop();
  }
}

/** Lines of each major → lines with the majors that have them: `10-13`, `14-` (to the last), nothing (all). */
function byRange(majors, linesOf) {
  const last = majors.at(-1);
  const since = new Map();
  const lines = [];
  majors.forEach((major, i) => {
    const now = new Set(linesOf[i]);
    for (const [line, from] of since) {
      if (now.has(line)) continue;
      lines.push({ line, from, to: major - 1 });
      since.delete(line);
    }
    for (const line of now) if (!since.has(line)) since.set(line, major);
  });
  for (const [line, from] of since) lines.push({ line, from, to: last });
  return lines.map(({ line, from, to }) => ({ line, range: rangeText(majors, from, to) }));
}

function rangeText(majors, from, to) {
  if (from === majors[0] && to === majors.at(-1)) return '';
  return `${from === majors[0] ? '' : from}-${to === majors.at(-1) ? '' : to}`;
}

/** Columns of one relation over the majors, in an order that holds for all: name:type with its range of majors in front. */
function mergeColumns(majors, columnsOf) {
  const entries = [];
  majors.forEach((major, i) => {
    const columns = columnsOf[i];
    if (columns === undefined) return;
    const active = entries.filter((entry) => entry.to === majors[i - 1]);
    const matches = longestCommon(
      active.map((entry) => entry.column),
      columns,
    );
    let at = 0;
    columns.forEach((column, c) => {
      const matched = matches.find(([, index]) => index === c);
      if (matched) {
        const entry = active[matched[0]];
        entry.to = major;
        at = entries.indexOf(entry) + 1;
      } else {
        entries.splice(at++, 0, { column, from: major, to: major });
      }
    });
  });
  const present = majors.filter((_, i) => columnsOf[i]);
  return entries.map(({ column, from, to }) => {
    const range = rangeText(present, from, to);
    return range === '' ? column : `[${range}]${column}`;
  });
}

function longestCommon(a, b) {
  const lengths = Array.from({ length: a.length + 1 }, () => new Array(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i][j] = a[i] === b[j] ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
    }
  }
  const pairs = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (lengths[i + 1][j] >= lengths[i][j + 1]) i++;
    else j++;
  }
  return pairs;
}

/** Values of this machine or of how the server was started: what a freshly installed server shows instead. */
const usual = {
  config_file: '/var/lib/postgresql/data/postgresql.conf',
  data_directory: '/var/lib/postgresql/data',
  hba_file: '/var/lib/postgresql/data/pg_hba.conf',
  hosts_file: '/var/lib/postgresql/data/pg_hosts.conf',
  ident_file: '/var/lib/postgresql/data/pg_ident.conf',
  krb_server_keyfile: 'FILE:/usr/local/pgsql/etc/krb5.keytab',
  fsync: 'on',
  listen_addresses: 'localhost',
  port: '5432',
  unix_socket_directories: '/tmp',
  max_replication_slots: '10',
  log_timezone: 'UTC',
  TimeZone: 'UTC',
};
/** Known from the server's version, the session, the transaction or the scenario. */
const dynamic = new Set([
  'server_version',
  'server_version_num',
  'session_authorization',
  'is_superuser',
  'role',
  'in_hot_standby',
]);

const cell = (value) => (value === null ? '~' : value === '' ? "''" : value.replaceAll(' ', '␣'));

function settingLine([name, type, context, unit, min, max, enums, boot, reset]) {
  if (dynamic.has(name)) boot = reset = null;
  const value = name in usual ? usual[name] : reset;
  if (/_file$|_directory$|keyfile$/.test(name) && boot?.startsWith('/')) boot = null;
  if (name === 'krb_server_keyfile') boot = null;
  const columns = [name, type, context, unit, min, max, enums, boot, value === boot ? null : value];
  return columns
    .map(cell)
    .join(' ')
    .replace(/( ~)+$/, '');
}

function write(file, comment, name, lines) {
  const text = lines.join('\n').replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('${', '\\${');
  writeFileSync(new URL(file, out), `${comment}\nexport const ${name} = \`\n${text}\n\`;\n`);
}

const withRange = ({ range, line }) => (range === '' ? line : `[${range}]${line}`);
const byName = (a, b) => (a.line < b.line ? -1 : a.line > b.line ? 1 : a.range < b.range ? -1 : 1);

const recorded = [];
for (const directory of process.argv.slice(2)) recorded.push(await record(directory));
recorded.sort((a, b) => a.major - b.major);
const majors = recorded.map((r) => r.major);

const settings = byRange(
  majors,
  recorded.map((r) => r.settings.map(settingLine)),
).sort(byName);
const isFlag = ({ line }) => line.split(' ')[1] === 'bool';
const settingsComment = (what) =>
  `/**
 * ${what} of servers ${majors[0]} to ${majors.at(-1)}, recorded from them by scripts/record-catalogs.mjs: name, vartype, context,
 * unit, min_val, max_val, enumvals, boot_val, and the value in use where it differs. ~ is NULL, '' is empty, ␣ a blank,
 * [14-] in front the majors that have the line.
 */`;
write('settings.ts', settingsComment('Settings'), 'settingLines', settings.filter((s) => !isFlag(s)).map(withRange));
write('switches.ts', settingsComment('Boolean settings'), 'switchLines', settings.filter(isFlag).map(withRange));

const types = byRange(
  majors,
  recorded.map((r) => r.types.map((row) => row.map(cell).join(' '))),
);
types.sort((a, b) => parseInt(a.line) - parseInt(b.line) || byName(a, b));
write(
  'types.ts',
  `/**
 * Types of pg_catalog in servers ${majors[0]} to ${majors.at(-1)} (not those of its tables), recorded from them by
 * scripts/record-catalogs.mjs: oid, typname, typlen, typtype, typcategory, typispreferred, typdelim, typelem, typarray, typinput,
 * typoutput, typreceive, typsend, typmodin, typmodout, typbyval, typalign, typstorage, what a range ranges over (of a multirange:
 * its range), typcollation. [14-] in front: the majors that have the line.
 */`,
  'typeLines',
  types.map(withRange),
);

const relationNames = [...new Set(recorded.flatMap((r) => r.relations.map((row) => `${row[0]}.${row[1]}`)))].sort();
const relationLines = relationNames.map((name) => {
  const rows = recorded.map((r) => r.relations.find((row) => `${row[0]}.${row[1]}` === name));
  const columns = mergeColumns(
    majors,
    rows.map((row) => row?.[4].split(' ')),
  );
  const oids = rows.map((row) => row?.[3] ?? '');
  const first = oids.find(Boolean);
  const sameOid = oids.every((oid) => oid === '' || oid === first);
  const present = majors.filter((_, i) => rows[i]);
  const range = rangeText(majors, present[0], present.at(-1));
  const kind = rows.find(Boolean)[2];
  return `${range === '' ? '' : `[${range}]`}${name} ${kind} ${sameOid ? first : oids.join(',')} ${columns.join(' ')}`;
});
const relationsComment = (what) =>
  `/**
 * ${what} in servers ${majors[0]} to ${majors.at(-1)}, recorded from them by scripts/record-catalogs.mjs: name, relkind, OID (one for
 * each major where they differ), then the columns as name:type. [14-] in front: the majors that have it.
 */`;
const inCatalog = (line) => line.replace(/^\[.*?\]/, '').startsWith('pg_catalog.');
write('relations.ts', relationsComment('System catalogs and views'), 'relationLines', relationLines.filter(inCatalog));
write(
  'information-schema.ts',
  relationsComment('Views of information_schema'),
  'informationSchemaLines',
  relationLines.filter((line) => !inCatalog(line)),
);

/** Pairs of a head and a word → lines `head: word word …` of at most 118 columns. */
function grouped(of) {
  const words = byRange(
    majors,
    recorded.map((r) => of(r).map(([head, word]) => `${head}\t${word}`)),
  ).sort(byName);
  const lines = [];
  let current;
  for (const { range, line } of words) {
    const [head, word] = line.split('\t');
    const text = withRange({ range, line: word });
    if (head !== current || lines.at(-1).length + text.length >= 118) lines.push(`${head}: ${text}`);
    else lines[lines.length - 1] += ` ${text}`;
    current = head;
  }
  return lines;
}

write(
  'casts.ts',
  `/**
 * Casts of servers ${majors[0]} to ${majors.at(-1)}, recorded from them by scripts/record-catalogs.mjs: source type, then each target with
 * castcontext (i implicit, a assignment, e explicit) and castmethod (b relabelled, f function, i by text).
 */`,
  'castLines',
  grouped((r) => r.casts),
);
write(
  'operators.ts',
  `/**
 * Operators of servers ${majors[0]} to ${majors.at(-1)}, recorded from them by scripts/record-catalogs.mjs: name, result type, then the pairs of
 * left,right operand types (nothing in front of the comma: prefix operator). [14-] in front: the majors that have it.
 */`,
  'operatorLines',
  grouped((r) => r.operators),
);

/** Short lines together, with `; ` between. */
function filled(lines) {
  return lines.reduce((longer, line) => {
    const last = longer.at(-1);
    if (last === undefined || last.length + line.length >= 156) longer.push(line);
    else longer[longer.length - 1] = `${last}; ${line}`;
    return longer;
  }, []);
}

write(
  'functions.ts',
  `/**
 * Functions that queries can call in servers ${majors[0]} to ${majors.at(-1)}, recorded from them by scripts/record-catalogs.mjs: name, then
 * for each of that name the argument types (* variadic), > and the result type (>> a set, => an
 * aggregate or window function). [14-] in front: the majors that have it.
 */`,
  'functionLines',
  filled(grouped((r) => r.functions)),
);
