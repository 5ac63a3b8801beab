/** System catalogs and views of a major: names, OIDs, columns, as recorded. */
import { oidOfTableObject } from '../derived-oids.js';
import { informationSchemaLines } from '../system/information-schema.js';
import { laterRelationLines } from '../system/later.js';
import { linesOf, perMajor, wordsOf } from '../system/lines.js';
import { relationLines } from '../system/relations.js';
import { builtinTypeFacts } from '../types/type-facts.js';
import { typeOids } from '../types/type-oids.js';
import type { RelationColumn } from './relation.js';

export interface SystemRelation {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  readonly kind: string;
  readonly rowType: number;
  readonly columns: readonly RelationColumn[];
}

const lastMajor = 18;
const firstMajor = 10;
/** Columns of catalogs that were system columns once: not part of `*`. */
const lastMajorOfHiddenOid = 11;

export const systemRelations = perMajor((major) => {
  const recorded = [...linesOf(relationLines, major), ...linesOf(informationSchemaLines, major)];
  const lines = [...recorded, ...linesOf(laterRelationLines, major)];
  return new Map(
    lines.map((line) => parseLine(line, major)).map((relation) => [`${relation.schema}.${relation.name}`, relation]),
  );
});

function parseLine(line: string, major: number): SystemRelation {
  const [qualified, kind, oids, ...columns] = line.split(' ');
  const [schema, name] = qualified!.split('.');
  const byMajor = oids!.split(',');
  const oid = Number(byMajor.length === 1 ? byMajor[0] : byMajor[Math.min(major, lastMajor) - firstMajor]);
  let attnum = 0;
  return {
    oid,
    schema: schema!,
    name: name!,
    kind: kind!,
    rowType: oidOfTableObject(oid, 'rowType'),
    columns: wordsOf(columns.join(' '), major).map((word) => {
      const [column, type] = word.split(':');
      const hidden = column === 'oid' && kind === 'r' && major <= lastMajorOfHiddenOid;
      return { name: column!, ...typeOf(type!, major), attnum: hidden ? oidAttnum : ++attnum, hidden };
    }),
  };
}

/** attnum of the oid column where it was a system column. */
const oidAttnum = -2;

/** Domains of information_schema show as their base types. */
function typeOf(word: string, major: number): { type: number; typmod: number } {
  switch (word) {
    case 'sql_identifier':
      return { type: major >= 12 ? typeOids.name : typeOids.varchar, typmod: -1 };
    case 'character_data':
      return { type: typeOids.varchar, typmod: -1 };
    case 'yes_or_no':
      return { type: typeOids.varchar, typmod: 7 };
    case 'cardinal_number':
      return { type: typeOids.int4, typmod: -1 };
    case 'time_stamp':
      return { type: typeOids.timestamptz, typmod: 2 };
    default: {
      // Arrays of catalogs' row types are not known: what they hold is not emulated either.
      const isKnown = builtinTypeFacts(major).some(({ oid }) => oid === Number(word));
      return { type: isKnown ? Number(word) : typeOids.anyarray, typmod: -1 };
    }
  }
}
