// Writes scenarios/incidents/README.md from the scenarios beside it: node scripts/incident-index.mjs
// With --check it only says whether the file is current. Either way each scenario has a source, a right behaviour, and a
// mistake that it finds.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';
import { mistakes } from '../test/incidents/mistakes/index.mjs';

const folder = new URL('../scenarios/incidents/', import.meta.url);

const kinds = {
  a: 'Unchanged large values and old rows',
  b: 'Key changes, deletes, identity',
  c: 'Relation messages and schema changes',
  d: 'Kinds of messages that nobody planned for',
  e: 'Streamed transactions',
  f: 'Confirmation and positions',
  g: 'Idle databases and empty transactions',
  h: 'Timeouts, liveness, framing, back-pressure',
  i: 'Start-up, negotiation, slot and publication errors',
  j: 'Slots lost, made anew, moved; failover',
  k: 'TLS and authentication',
  l: 'The server ends the stream',
  m: 'Values',
  n: 'Widths of numbers and texts of positions',
  o: 'Partitions, column lists, generated columns',
  p: 'Size, memory, hostile input',
  q: 'From the copy to the stream',
  r: 'Mistakes of servers that only look like PostgreSQL',
};

const introduction = `# Incidents

Things that PostgreSQL's replication stream did, and the consumer that stumbled over them, from public issue trackers: each as a
scenario that a correct consumer meets and one with the described mistake fails. To try your own:

\`\`\`
fake-walsender run scenarios/incidents --jobs 8 -- your-consumer
\`\`\`

It has to know four things:

- The server is at \`$DATABASE_URL\` (or \`$PGHOST\`, \`$PGPORT\`, \`$PGUSER\`, \`$PGPASSWORD\`, \`$PGDATABASE\`).
- The publication is \`cdc_pub\`, the slot \`cdc_slot\`. The slot is there where a scenario needs it; else the consumer makes it, or
  starts it: that makes it, too.
- What it has replicated goes to \`$STATE_FILE\` as JSON, rows by table: \`{ "public.users": [{ "id": "1", "name": "Ann" }] }\`. Values
  are null, or texts as PostgreSQL prints them; numbers and booleans may be JSON's. Keys that begin with \`$\` are your own. The file
  stays when the consumer is stopped and started again. \`check-rows.mjs\` compares it with the truth.
- Times are scaled down: \`wal_sender_timeout\` is seconds, so status updates should go out every half a second or so.

Some scenarios have rows before the stream begins (a consumer without an initial copy fails them), some stop, restart or crash the
consumer. In the repository, test/incidents has a correct one to copy from, and the mistakes named below, each as that consumer
with one thing done wrong; docs/incident-results.md tells what four client libraries made of them.
`;

function scenarios() {
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
  const known = new Set(files.map((file) => file.slice(0, -'.yaml'.length)));
  const unknown = Object.values(mistakes).flatMap(({ fails }) => fails.filter((name) => !known.has(name)));
  if (unknown.length > 0) fail(`test/incidents/mistakes names scenarios that do not exist: ${unknown.join(', ')}`);
  return files.map(read).sort((one, other) => one.kind.localeCompare(other.kind) || one.number - other.number);
}

function read(file) {
  const name = file.slice(0, -'.yaml'.length);
  const [, kind, number] = /^([a-r])(\d+)-/.exec(name) ?? fail(`${file}: the name begins with the incident's number`);
  const { scenario, description } = parse(readFileSync(new URL(file, folder), 'utf8'), { logLevel: 'silent' });
  const source = /^Source: (.+)$/m.exec(description)?.[1] ?? fail(`${file}: no line "Source: …" in the description`);
  const right = /^Right: ([^]+)$/m.exec(description)?.[1] ?? fail(`${file}: no line "Right: …" in the description`);
  const failing = Object.keys(mistakes).filter((mistake) => mistakes[mistake].fails.includes(name));
  if (failing.length === 0) fail(`${file}: no mistake that it finds is in test/incidents/mistakes`);
  return {
    kind,
    number: Number(number),
    file,
    scenario,
    source,
    right: capital(right.replaceAll(/\s+/g, ' ').trim()),
    failing,
  };
}

const capital = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

function link(source) {
  return source.replaceAll(/([\w.-]+\/[\w.-]+)#(\d+)/g, '[$1#$2](https://github.com/$1/issues/$2)');
}

function index() {
  const all = scenarios();
  const parts = [introduction];
  for (const [kind, title] of Object.entries(kinds)) {
    const rows = all.filter((one) => one.kind === kind);
    if (rows.length === 0) continue;
    parts.push(`## ${kind.toUpperCase()}. ${title}\n`);
    parts.push('| scenario | right | mistakes that it finds | seen in |\n| --- | --- | --- | --- |');
    for (const { file, scenario, source, right, failing } of rows) {
      const found = failing.map((name) => name.replaceAll('-', ' ')).join('; ');
      parts.push(
        `| [${kind}${file.slice(1, file.indexOf('-'))}](${file}) ${scenario} | ${right} | ${found} | ${link(source)} |`,
      );
    }
    parts.push('');
  }
  return parts.join('\n');
}

function fail(message) {
  throw new Error(message);
}

const readme = new URL('README.md', folder);
if (process.argv.includes('--check')) {
  if (readFileSync(readme, 'utf8') !== index()) fail('README.md is not current: node scripts/incident-index.mjs');
} else {
  writeFileSync(readme, index());
}
