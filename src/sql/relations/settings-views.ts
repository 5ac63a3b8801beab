/** pg_settings, and what a session has prepared. */
import { printArray } from '../../postgres/index.js';
import type { StatementContext } from '../context.js';
import type { SettingDefinition } from '../session/setting-definitions.js';
import { printTimestamptz } from '../types/time-values.js';
import type { CatalogBuilders, CatalogRow } from './relation.js';

function array(elements: readonly string[]): string {
  return printArray({ lengths: [elements.length], lowerBounds: [1], elements }, ',');
}

/** Categories and descriptions are not kept. */
function settingRow(definition: SettingDefinition, value: string, resetValue: string): CatalogRow {
  const { name, unit, context, type, min, max, choices, bootValue } = definition;
  return {
    name,
    setting: value,
    unit,
    category: null,
    short_desc: null,
    extra_desc: null,
    context,
    vartype: type,
    source: value === bootValue ? 'default' : value === resetValue ? 'configuration file' : 'session',
    min_val: min,
    max_val: max,
    enumvals: choices.length === 0 ? null : array(choices),
    boot_val: bootValue,
    reset_val: resetValue,
    sourcefile: null,
    sourceline: null,
    pending_restart: 'f',
  };
}

function settings({ session }: StatementContext): CatalogRow[] {
  const rows = [...session.settings.all()].map(({ definition, value, resetValue }) =>
    settingRow(definition, value, resetValue),
  );
  const key = (row: CatalogRow): string => row['name']!.toLowerCase();
  return rows.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

function* prepared({ session, types }: StatementContext): Generator<CatalogRow> {
  for (const statement of session.preparedStatements()) {
    yield {
      name: statement.name,
      statement: statement.text,
      prepare_time: printTimestamptz(statement.preparedAt),
      parameter_types: array(statement.parameterTypes.map((oid) => types.format(oid, undefined, []))),
      result_types: null,
      from_sql: statement.fromSql ? 't' : 'f',
      generic_plans: '0',
      custom_plans: '0',
    };
  }
}

function* cursors({ session }: StatementContext): Generator<CatalogRow> {
  for (const { name, text, createdAt } of session.cursors()) {
    yield {
      name,
      statement: text,
      is_holdable: 'f',
      is_binary: 'f',
      is_scrollable: 'f',
      creation_time: printTimestamptz(createdAt),
    };
  }
}

export const settingBuilders: CatalogBuilders = {
  'pg_catalog.pg_settings': settings,
  'pg_catalog.pg_prepared_statements': prepared,
  'pg_catalog.pg_cursors': cursors,
};
