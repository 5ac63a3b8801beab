import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, expect } from '@jest/globals';
import { builtinTypes, typeByName, typeByOid } from '../../src/postgres/index.js';

/** A row of pg_type, and the majors that have it. */
type Row = [
  oid: number,
  name: string,
  length: number,
  arrayOid: number,
  delimiter: string,
  sends: boolean,
  kind: 'b' | 'r' | 'm',
  elementOid: number,
  first: number,
  last: number,
];
const rows = JSON.parse(readFileSync(join(__dirname, 'catalog/pg-type.json'), 'utf8')) as Row[];

/** Not for columns of tables, or gone after 11. */
const left = new Set(
  ['pg_node_tree', 'pg_ndistinct', 'pg_dependencies', 'pg_mcv_list', 'smgr', 'abstime', 'reltime', 'tinterval'].concat([
    '_abstime',
    '_reltime',
    '_tinterval',
    'pg_brin_bloom_summary',
    'pg_brin_minmax_multi_summary',
    '_record',
    '_cstring',
  ]),
);

describe('built-in types', () => {
  it('are those of pg_type', () => {
    const ours = [...builtinTypes()].map(({ name }) => name).sort();
    const server = rows.map(([, name]) => name).filter((name) => !left.has(name));
    expect(ours).toEqual([...new Set(server)].sort());
  });

  it.each(rows.filter(([, name]) => !left.has(name)))(
    '%s %s',
    (oid, name, length, arrayOid, delimiter, sends, kind, elementOid, first) => {
      const type = typeByOid(oid)!;
      expect(typeByName(name)).toBe(type);
      // aclitem grew from 12 to 16 bytes in 16.
      const knownLength = name === 'aclitem' && first >= 16 ? 12 : length;
      expect(type).toMatchObject({ name, namespace: 'pg_catalog', length: knownLength, arrayOid, delimiter });
      expect(type.send !== undefined).toBe(sends);
      expect(type.kind).toBe(
        kind === 'r' ? 'range' : kind === 'm' ? 'multirange' : name.startsWith('_') ? 'array' : 'base',
      );
      if (type.kind === 'array') expect(type.element?.oid).toBe(elementOid);
      if (name !== 'aclitem') expect(type.since).toBe(first);
    },
  );
});
