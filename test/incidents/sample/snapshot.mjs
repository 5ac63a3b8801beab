// A new slot and a copy of the tables as of the moment where its stream begins.
import { parseLsn } from './lsn.mjs';

export const quoteIdentifier = (name) => `"${name.replaceAll('"', '""')}"`;
export const quoteLiteral = (text) => `'${text.replaceAll("'", "''")}'`;

/** @returns { position, tables: Map of name → { columns, rows } }; position is null if the slot was there before */
export async function createSlotAndCopy(connection, { slot, publication, major }) {
  await connection.query('BEGIN READ ONLY ISOLATION LEVEL REPEATABLE READ');
  const snapshot = major >= 15 ? "(SNAPSHOT 'use')" : 'USE_SNAPSHOT';
  const command = `CREATE_REPLICATION_SLOT ${quoteIdentifier(slot)} LOGICAL pgoutput ${snapshot}`;
  try {
    const [created] = await connection.query(command);
    const tables = new Map();
    for (const table of await publishedTables(connection, publication, major)) {
      tables.set(`${table.schemaname}.${table.tablename}`, await copy(connection, table));
    }
    return { position: parseLsn(created.consistent_point), tables };
  } catch (error) {
    if (error.code !== '42710') throw error;
    return { position: null, tables: new Map() };
  } finally {
    await connection.query('COMMIT');
  }
}

function publishedTables(connection, publication, major) {
  const columns = major >= 15 ? 'schemaname, tablename, attnames' : 'schemaname, tablename';
  const where = `pubname = ${quoteLiteral(publication)}`;
  return connection.query(`SELECT ${columns} FROM pg_publication_tables WHERE ${where}`);
}

async function copy(connection, { schemaname, tablename, attnames }) {
  // Only published columns, in the table's order.
  const columns = attnames === undefined ? '*' : arrayItems(attnames).map(quoteIdentifier).join(', ');
  const table = `${quoteIdentifier(schemaname)}.${quoteIdentifier(tablename)}`;
  const rows = await connection.query(`SELECT ${columns} FROM ${table}`);
  return { columns: Object.keys(rows[0] ?? {}), rows };
}

/** Items of an array of names in its text form. */
function arrayItems(text) {
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"|([^{},]+)/g)].map(([, quoted, plain]) =>
    quoted === undefined ? plain : quoted.replaceAll(/\\(.)/g, '$1'),
  );
}
