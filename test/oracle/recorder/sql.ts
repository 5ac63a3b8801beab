/**
 * What the recorder installs in a database before a workload runs. It writes no rows and makes no table: it only tells.
 *
 * Rows: each table gets AFTER ROW triggers that never fire, for their WHEN conditions call a function that says what it
 * was given and returns false. A WHEN condition of an AFTER trigger is evaluated as soon as the row has been written, so
 * what is told comes in the order of WAL, with the final row, its ctid, and for COPY without giving up multi-inserts.
 * INFO messages reach the client whatever client_min_messages says, and also when the transaction is rolled back.
 *
 * DDL: an event trigger tells the catalogs after every command, as the transaction sees them, and gives tables made by
 * the command their triggers, and tells the rows that CREATE TABLE AS has put into them.
 */
import { catalogQuery } from './catalog-sql.js';

/** Output of every value: the canonical text. More digits than 1 make no difference from 12 on; before, none is lost. */
const canonical =
  "SET datestyle = 'ISO, MDY' SET intervalstyle = 'postgres' SET timezone = 'UTC' SET extra_float_digits = 3 SET bytea_output = 'hex'";

/** Marks a message of the recorder's; the JSON is in hexadecimal, which every client_encoding can carry. */
export const marker = 'oracle:';

function say(json: string): string {
  return `RAISE INFO '${marker}%', encode(convert_to((${json})::text, 'UTF8'), 'hex');`;
}

const triggers = [
  ['insert', 'ROW', "oracle.changed('insert', NEW.tableoid, NEW.ctid, NULL, oracle.row_text(NEW))"],
  ['update', 'ROW', "oracle.changed('update', NEW.tableoid, NEW.ctid, oracle.row_text(OLD), oracle.row_text(NEW))"],
  ['delete', 'ROW', "oracle.changed('delete', OLD.tableoid, OLD.ctid, oracle.row_text(OLD), NULL)"],
  ['truncate', 'STATEMENT', undefined],
] as const;

export function recorderSql(major: number): string {
  const create = triggers.map(([event, level, when]) => {
    const condition = when === undefined ? '' : `WHEN (${when}) `;
    return `EXECUTE format($f$CREATE TRIGGER oracle_${event} AFTER ${event} ON %s FOR EACH ${level} ${condition}EXECUTE PROCEDURE oracle.truncated()$f$, made.name);`;
  });
  const always = triggers.map(([event]) => `ENABLE ALWAYS TRIGGER oracle_${event}`).join(', ');
  return `
CREATE SCHEMA oracle;
GRANT USAGE ON SCHEMA oracle TO PUBLIC;

-- In SQL, for PL/pgSQL up to 10 remembers a row type as it was before ALTER TABLE.
CREATE FUNCTION oracle.row_text(anyelement) RETURNS text LANGUAGE sql STABLE ${canonical} AS $$ SELECT $1::text $$;

CREATE FUNCTION oracle.changed(kind text, relation oid, tid tid, old text, new text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$ BEGIN
  ${say(`json_build_object('kind', kind, 'relation', relation::bigint, 'file', pg_relation_filenode(relation)::bigint,
    'tid', tid, 'xid', txid_current_if_assigned(), 'old', old, 'new', new)`)}
  RETURN false;
END $$;

CREATE FUNCTION oracle.truncated() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  ${say(`json_build_object('kind', 'truncate', 'relation', TG_RELID::bigint, 'xid', txid_current_if_assigned())`)}
  RETURN NULL;
END $$;

CREATE FUNCTION oracle.catalog() RETURNS json LANGUAGE sql SET search_path = pg_catalog AS $$ ${catalogQuery(major)} $$;

CREATE FUNCTION oracle.told() RETURNS event_trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ DECLARE made record; written record; BEGIN
  -- The commands below would come here again.
  IF current_setting('oracle.telling', true) = 'yes' THEN RETURN; END IF;
  PERFORM set_config('oracle.telling', 'yes', true);
  ${say(`json_build_object('kind', 'ddl', 'tag', TG_TAG, 'lsn', pg_current_wal_insert_lsn(), 'xid', txid_current_if_assigned(), 'catalog', oracle.catalog())`)}
  FOR made IN
    SELECT format('%I.%I', nspname, relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
    WHERE relkind = 'r' AND relpersistence <> 't' AND nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast', 'oracle')
      AND NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = c.oid AND tgname = 'oracle_insert') ORDER BY c.oid
  LOOP
    ${create.join('\n    ')}
    EXECUTE format('ALTER TABLE %s ${always}', made.name);
    FOR written IN EXECUTE format('SELECT tableoid, ctid, oracle.row_text(r) AS row FROM ONLY %s r', made.name) LOOP
      PERFORM oracle.changed('insert', written.tableoid, written.ctid, NULL, written.row);
    END LOOP;
  END LOOP;
  PERFORM set_config('oracle.telling', '', true);
END $$;

CREATE EVENT TRIGGER oracle ON ddl_command_end EXECUTE PROCEDURE oracle.told();
ALTER EVENT TRIGGER oracle ENABLE ALWAYS;
`;
}
