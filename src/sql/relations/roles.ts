/** Roles: those that the server knows, and the predefined ones of its major. */
import type { StatementContext } from '../context.js';
import { linesOf } from '../system/lines.js';
import { bool, type CatalogBuilders, type CatalogRow } from './relation.js';

/** The bootstrap superuser. */
export const superuserOid = 10;
const firstUserRole = 16_380;

const predefined = `
3373 pg_monitor
3374 pg_read_all_settings
3375 pg_read_all_stats
3377 pg_stat_scan_tables
4200 pg_signal_backend
[15-]4544 pg_checkpoint
[16-]4550 pg_use_reserved_connections
[11-]4569 pg_read_server_files
[11-]4570 pg_write_server_files
[11-]4571 pg_execute_server_program
[14-]6171 pg_database_owner
[14-]6181 pg_read_all_data
[14-]6182 pg_write_all_data
[16-]6304 pg_create_subscription
[17-]6337 pg_maintain
[18-]6392 pg_signal_autovacuum_worker
`;

export interface Role {
  readonly oid: number;
  readonly name: string;
  readonly superuser: boolean;
  readonly replication: boolean;
  readonly canLogin: boolean;
}

export function roles({ host, major }: StatementContext): readonly Role[] {
  const known = host.roles.map(({ name, superuser, replication }, i): Role => {
    return { oid: i === 0 ? superuserOid : firstUserRole - i, name, superuser, replication, canLogin: true };
  });
  const others = linesOf(predefined, major).map((line): Role => {
    const [oid, name] = line.split(' ');
    return { oid: Number(oid), name: name!, superuser: false, replication: false, canLogin: false };
  });
  return [...known, ...others];
}

export function roleOid(context: StatementContext, name: string): number | undefined {
  return roles(context).find((role) => role.name === name)?.oid;
}

function authorizations(context: StatementContext): CatalogRow[] {
  return roles(context).map((role) => ({
    oid: String(role.oid),
    rolname: role.name,
    rolsuper: bool(role.superuser),
    rolinherit: 't',
    rolcreaterole: bool(role.superuser),
    rolcreatedb: bool(role.superuser),
    rolcanlogin: bool(role.canLogin),
    rolreplication: bool(role.superuser || role.replication),
    rolbypassrls: bool(role.superuser),
    rolconnlimit: '-1',
    rolpassword: null,
    rolvaliduntil: null,
    rolconfig: null,
  }));
}

function users(context: StatementContext): CatalogRow[] {
  return authorizations(context)
    .filter((row) => row['rolcanlogin'] === 't')
    .map((row) => ({
      usename: row['rolname']!,
      usesysid: row['oid']!,
      usecreatedb: row['rolcreatedb']!,
      usesuper: row['rolsuper']!,
      userepl: row['rolreplication']!,
      usebypassrls: row['rolbypassrls']!,
      passwd: '********',
      valuntil: null,
      useconfig: null,
    }));
}

export const roleBuilders: CatalogBuilders = {
  'pg_catalog.pg_authid': authorizations,
  'pg_catalog.pg_roles': (context) => authorizations(context).map((row) => ({ ...row, rolpassword: '********' })),
  'pg_catalog.pg_user': users,
  'pg_catalog.pg_shadow': (context) => users(context).map((row) => ({ ...row, passwd: null })),
  'pg_catalog.pg_group': (context) =>
    roles(context)
      .filter((role) => !role.canLogin)
      .map(({ name, oid }) => ({ groname: name, grosysid: String(oid), grolist: '{}' })),
};
