/** System catalogs and views by name: how their rows are made. */
import { classBuilders } from './classes.js';
import { constraintBuilders } from './constraints.js';
import { databaseBuilders } from './databases.js';
import { informationSchemaBuilders } from './information-schema.js';
import { namespaceBuilders } from './namespaces.js';
import { publicationBuilders } from './publications.js';
import type { CatalogBuilders } from './relation.js';
import { replicationBuilders } from './replication.js';
import { roleBuilders } from './roles.js';
import { settingBuilders } from './settings-views.js';
import { tableViewBuilders } from './table-views.js';
import { typeBuilders } from './type-catalogs.js';

export const catalogBuilders: CatalogBuilders = {
  ...classBuilders,
  ...constraintBuilders,
  ...databaseBuilders,
  ...informationSchemaBuilders,
  ...namespaceBuilders,
  ...publicationBuilders,
  ...replicationBuilders,
  ...roleBuilders,
  ...settingBuilders,
  ...tableViewBuilders,
  ...typeBuilders,
};

const empty = `
pg_attrdef pg_auth_members pg_available_extensions pg_db_role_setting pg_default_acl pg_depend pg_description
pg_event_trigger pg_foreign_data_wrapper pg_publication_sequences pg_foreign_server pg_foreign_table pg_init_privs pg_largeobject_metadata
pg_matviews pg_parameter_acl pg_policies pg_policy pg_replication_origin
pg_replication_origin_status pg_rules pg_seclabel pg_seclabels pg_sequence pg_sequences pg_shdepend
pg_shdescription pg_shseclabel pg_stat_gssapi pg_stat_subscription pg_stat_subscription_stats
pg_stat_user_functions pg_stat_wal_receiver pg_statistic pg_statistic_ext pg_statistic_ext_data pg_stats
pg_stats_ext pg_subscription pg_subscription_rel pg_transform pg_trigger pg_user_mapping pg_user_mappings
`;

/** Catalogs of things that a scenario has none of. All others that have no builder are not emulated. */
export const emptyCatalogs: ReadonlySet<string> = new Set([
  ...empty
    .trim()
    .split(/\s+/)
    .map((name) => `pg_catalog.${name}`),
  ...['referential_constraints', 'routines', 'parameters', 'triggers', 'sequences'].map(
    (name) => `information_schema.${name}`,
  ),
]);
