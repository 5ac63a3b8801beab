import { describe, expect, it } from '@jest/globals';
import { typeByName } from '../postgres/builtin-types.js';
import { typnameOf } from '../postgres/sql-type-name.js';
import { columnTypeNames, oidOfType } from './column-types.js';

describe('oidOfType', () => {
  it.each(columnTypeNames())('knows the OIDs of %s and of its arrays', (name) => {
    const type = typeByName(name === 'char' ? name : typnameOf(name))!;
    expect(oidOfType(name)).toBe(type.oid);
    expect(oidOfType(`${name}[]`)).toBe(type.arrayOid);
  });

  it('knows nothing of others', () => {
    expect(oidOfType('mood')).toBeUndefined();
    expect(oidOfType('constructor')).toBeUndefined();
    expect(oidOfType('text[][]')).toBeUndefined();
  });
});
