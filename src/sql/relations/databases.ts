/** Databases, tablespaces, extensions, access methods, languages: what a freshly installed server has. */
import type { StatementContext } from '../context.js';
import { bool, type CatalogBuilders, type CatalogRow } from './relation.js';
import { superuserOid } from './roles.js';

const firstDatabase = 16_384;
const defaultTablespace = '1663';
/** Of majors before 15, where initdb numbered them as it went. */
const postgresOids = [12_940, 13_090, 13_396, 13_383, 13_695];

interface DatabaseFacts {
  readonly oid: number;
  readonly name: string;
  readonly isTemplate: boolean;
  readonly allowsConnections: boolean;
}

function databases({ host, major }: StatementContext): readonly DatabaseFacts[] {
  const postgres = major >= 15 ? 5 : postgresOids[major - 10]!;
  const template0 = major >= 15 ? 4 : postgres - 1;
  const others = host.databases.filter((name) => !['postgres', 'template0', 'template1'].includes(name));
  return [
    { oid: postgres, name: 'postgres', isTemplate: false, allowsConnections: true },
    { oid: 1, name: 'template1', isTemplate: true, allowsConnections: true },
    { oid: template0, name: 'template0', isTemplate: true, allowsConnections: false },
    ...others.map((name, i) => ({
      oid: firstDatabase - others.length + i,
      name,
      isTemplate: false,
      allowsConnections: true,
    })),
  ];
}

export function databaseOid(context: StatementContext, name: string): number | null {
  return databases(context).find((database) => database.name === name)?.oid ?? null;
}

function databaseRow(
  { oid, name, isTemplate, allowsConnections }: DatabaseFacts,
  { major }: StatementContext,
): CatalogRow {
  return {
    oid: String(oid),
    datname: name,
    datdba: String(superuserOid),
    encoding: '6',
    datlocprovider: 'c',
    datcollate: 'C',
    datctype: 'C',
    datistemplate: bool(isTemplate),
    datallowconn: bool(allowsConnections),
    dathasloginevt: 'f',
    datconnlimit: '-1',
    datlastsysoid: String(major >= 15 ? 0 : postgresOids[major - 10]! - 1),
    datfrozenxid: '478',
    datminmxid: '1',
    dattablespace: defaultTablespace,
    datlocale: null,
    daticulocale: null,
    daticurules: null,
    datcollversion: null,
    datacl: isTemplate ? '{=c/postgres,postgres=CTc/postgres}' : null,
  };
}

const accessMethods: readonly (readonly [oid: number, name: string, handler: string, type: string])[] = [
  [2, 'heap', 'heap_tableam_handler', 't'],
  [403, 'btree', 'bthandler', 'i'],
  [405, 'hash', 'hashhandler', 'i'],
  [783, 'gist', 'gisthandler', 'i'],
  [2742, 'gin', 'ginhandler', 'i'],
  [4000, 'spgist', 'spghandler', 'i'],
  [3580, 'brin', 'brinhandler', 'i'],
];

/** Tables have access methods from 12 on. */
function accessMethodRows({ major }: StatementContext): CatalogRow[] {
  return accessMethods
    .filter(([, name]) => major >= 12 || name !== 'heap')
    .map(([oid, amname, amhandler, amtype]) => ({ oid: String(oid), amname, amhandler, amtype }));
}

function tablespaceRow(oid: string, name: string): CatalogRow {
  return { oid, spcname: name, spcowner: String(superuserOid), spcacl: null, spcoptions: null };
}

const collations: readonly (readonly [oid: number, name: string, provider: string, locale: string | null])[] = [
  [100, 'default', 'd', null],
  [950, 'C', 'c', 'C'],
  [951, 'POSIX', 'c', 'POSIX'],
];

function collationRows({ major }: StatementContext): CatalogRow[] {
  return collations.map(([oid, collname, collprovider, locale]) => ({
    oid: String(oid),
    collname,
    collnamespace: '11',
    collowner: String(superuserOid),
    collprovider,
    collisdeterministic: 't',
    collencoding: '-1',
    collcollate: locale ?? (major >= 15 ? null : ''),
    collctype: locale ?? (major >= 15 ? null : ''),
    colllocale: null,
    colliculocale: null,
    collicurules: null,
    collversion: null,
  }));
}

const plpgsql = '13500';

export const databaseBuilders: CatalogBuilders = {
  'pg_catalog.pg_database': (context) => databases(context).map((database) => databaseRow(database, context)),
  'pg_catalog.pg_tablespace': () => [
    tablespaceRow(defaultTablespace, 'pg_default'),
    tablespaceRow('1664', 'pg_global'),
  ],
  'pg_catalog.pg_extension': () => [
    {
      oid: plpgsql,
      extname: 'plpgsql',
      extowner: String(superuserOid),
      extnamespace: '11',
      extrelocatable: 'f',
      extversion: '1.0',
      extconfig: null,
      extcondition: null,
    },
  ],
  'pg_catalog.pg_am': accessMethodRows,
  'pg_catalog.pg_collation': collationRows,
};
