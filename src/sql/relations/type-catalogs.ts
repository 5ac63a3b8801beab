/** pg_type, pg_enum, pg_range. */
import type { StatementContext } from '../context.js';
import { oidOfSchema } from '../derived-oids.js';
import type { TypeFacts } from '../types/type-facts.js';
import { bool, type CatalogBuilders, type CatalogRow } from './relation.js';
import { superuserOid } from './roles.js';

function typeRow(facts: TypeFacts, major: number): CatalogRow {
  const isArray = facts.category === 'A' && facts.length === -1;
  return {
    oid: String(facts.oid),
    typname: facts.name,
    typnamespace: String(oidOfSchema(facts.namespace, major)),
    typowner: String(superuserOid),
    typlen: String(facts.length),
    typbyval: bool(facts.byValue),
    typtype: facts.kind,
    typcategory: facts.category,
    typispreferred: bool(facts.preferred),
    typisdefined: 't',
    typdelim: facts.delimiter,
    typrelid: String(facts.relation),
    typsubscript: isArray
      ? 'array_subscript_handler'
      : facts.element !== 0
        ? 'raw_array_subscript_handler'
        : facts.name === 'jsonb'
          ? 'jsonb_subscript_handler'
          : '-',
    typelem: String(facts.element),
    typarray: String(facts.array),
    typinput: facts.input,
    typoutput: facts.output,
    typreceive: facts.receive,
    typsend: facts.send,
    typmodin: facts.modifierInput,
    typmodout: facts.modifierOutput,
    typanalyze: facts.input === 'array_in' ? 'array_typanalyze' : facts.kind === 'r' ? 'range_typanalyze' : '-',
    typalign: facts.align,
    typstorage: facts.storage,
    typnotnull: 'f',
    typbasetype: String(facts.base),
    typtypmod: String(facts.baseModifier),
    typndims: '0',
    typcollation: String(facts.collation),
    typdefaultbin: null,
    typdefault: null,
    typacl: null,
  };
}

const rows = new WeakMap<TypeFacts, CatalogRow>();

/** Facts are per major and do not change. */
function knownRow(facts: TypeFacts, major: number): CatalogRow {
  let row = rows.get(facts);
  if (row === undefined) {
    row = typeRow(facts, major);
    rows.set(facts, row);
  }
  return row;
}

function* enumLabels({ types, catalog }: StatementContext): Generator<CatalogRow> {
  for (const type of catalog.types.values()) {
    for (const [i, label] of (types.userType(type.oid)?.labels ?? []).entries()) {
      // Labels have OIDs of their own, which the timeline leaves open.
      yield {
        oid: String(0x2000_0000 + type.oid * 256 + i),
        enumtypid: String(type.oid),
        enumsortorder: String(i + 1),
        enumlabel: label,
      };
    }
  }
}

function* ranges({ types }: StatementContext): Generator<CatalogRow> {
  const all = types.all();
  for (const facts of all) {
    if (facts.kind !== 'r') continue;
    const multirange = all.find((other) => other.kind === 'm' && other.rangeOf === facts.oid);
    yield {
      rngtypid: String(facts.oid),
      rngsubtype: String(facts.rangeOf),
      rngmultitypid: String(multirange?.oid ?? 0),
      rngcollation: '0',
      rngsubopc: '0',
      rngcanonical: '-',
      rngsubdiff: '-',
    };
  }
}

export const typeBuilders: CatalogBuilders = {
  'pg_catalog.pg_type': ({ types, major }) => types.all().map((facts) => knownRow(facts, major)),
  'pg_catalog.pg_enum': enumLabels,
  'pg_catalog.pg_range': ranges,
};
