// Compares what a consumer replicated with what it should have: for `check: { command: node check-rows.mjs }`.
//
// The consumer writes its tables to $STATE_FILE as JSON: { "public.users": [{ "id": "1", "name": "Ann" }, …], … }. Values
// are null or texts as PostgreSQL prints them; numbers and booleans may be JSON's. The order of rows, and of columns, says
// nothing. Keys that begin with $ are the consumer's own. $FAKE_WALSENDER_ROWS names the truth, in the same form.
import { readFileSync } from 'node:fs';
import process from 'node:process';

const { STATE_FILE, FAKE_WALSENDER_ROWS } = process.env;
if (!STATE_FILE || !FAKE_WALSENDER_ROWS) fail('STATE_FILE and FAKE_WALSENDER_ROWS name the files to compare');

const expected = JSON.parse(readFileSync(FAKE_WALSENDER_ROWS, 'utf8'));
const found = readState(STATE_FILE);
const differences = [];
for (const table of new Set([...Object.keys(expected), ...Object.keys(found)])) {
  if (!table.startsWith('$')) compare(table, countRows(expected[table]), countRows(found[table]));
}
if (differences.length > 0) fail(shortened(differences).join('\n'));

function readState(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    return fail(error.code === 'ENOENT' ? 'the consumer wrote no state' : `the consumer's state: ${error.message}`);
  }
}

/** How often each row is there: tables without a key may hold it twice. */
function countRows(rows = []) {
  const counts = new Map();
  for (const row of rows) {
    const columns = Object.keys(row).sort();
    const text = JSON.stringify(Object.fromEntries(columns.map((name) => [name, normal(row[name])])));
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return counts;
}

function normal(value) {
  if (typeof value === 'boolean') return value ? 't' : 'f';
  return typeof value === 'number' ? String(value) : value;
}

function compare(table, expectedRows, foundRows) {
  for (const [row, count] of expectedRows) tell(`missing from ${table}`, row, count - (foundRows.get(row) ?? 0));
  for (const [row, count] of foundRows) tell(`wrong in ${table}`, row, count - (expectedRows.get(row) ?? 0));
}

function tell(what, row, count) {
  if (count > 0)
    differences.push(
      `${what}: ${row.length > 120 ? `${row.slice(0, 120)}…` : row}${count > 1 ? ` (${count} times)` : ''}`,
    );
}

function shortened(lines) {
  return lines.length > 3 ? [...lines.slice(0, 3), `… and ${lines.length - 3} more`] : lines;
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
