import { describe, it, expect } from '@jest/globals';
import { formatType } from './format-type.js';
import { arrayOf } from './array.js';
import { parseTypeName, type TypeScope } from './type-name.js';
import { enumType } from './user-defined.js';

const status = enumType({ oid: 16400, namespace: 'app', name: 'Status', arrayOid: 16399 }, ['on', 'off']);
const scope: TypeScope = {
  find: (namespace, name) => ((namespace ?? 'app') === 'app' && name === 'Status' ? status : undefined),
  arrayOf: (element) => (element === status ? arrayOf(status) : undefined),
  names: () => ['app.Status'],
};

describe('parseTypeName', () => {
  // OIDs and atttypmods as pg_attribute of an 18.4 server has them for columns of these types.
  it.each([
    ['int', 23, -1, 'integer'],
    ['BIGINT', 20, -1, 'bigint'],
    ['varchar(20)', 1043, 24, 'character varying(20)'],
    ['character varying(20)[]', 1015, 24, 'character varying(20)[]'],
    ['varchar', 1043, -1, 'character varying'],
    ['text[][3]', 1009, -1, 'text[]'],
    ['int array[4]', 1007, -1, 'integer[]'],
    ['numeric(10,2)', 1700, 655366, 'numeric(10,2)'],
    ['numeric(500,200)', 1700, 32768204, 'numeric(500,200)'],
    ['decimal(3)', 1700, 196612, 'numeric(3,0)'],
    ['char', 1042, 5, 'character(1)'],
    ['char(5)', 1042, 9, 'character(5)'],
    ['bpchar', 1042, -1, 'bpchar'],
    ['"char"', 18, -1, '"char"'],
    ['bit', 1560, 1, 'bit(1)'],
    ['bit varying(12)', 1562, 12, 'bit varying(12)'],
    ['double precision', 701, -1, 'double precision'],
    ['float(24)', 700, -1, 'real'],
    ['float', 701, -1, 'double precision'],
    ['time(3)', 1083, 3, 'time(3) without time zone'],
    ['timestamp(3) with time zone', 1184, 3, 'timestamp(3) with time zone'],
    ['timestamp without time zone', 1114, -1, 'timestamp without time zone'],
    ['timestamptz(0)', 1184, 0, 'timestamp(0) with time zone'],
    ['interval year to month', 1186, 458751, 'interval year to month'],
    ['interval day to second(3)', 1186, 470286339, 'interval day to second(3)'],
    ['interval(2)', 1186, 2147418114, 'interval(2)'],
    ['pg_catalog.int4', 23, -1, 'integer'],
    ['int4multirange', 4451, -1, 'int4multirange'],
    ['"Status"', 16400, -1, 'app."Status"'],
    ['app."Status"[]', 16399, -1, 'app."Status"[]'],
  ])('%s', (text, oid, typeModifier, printed) => {
    const name = parseTypeName(text, 18, scope);
    expect([name.type.oid, name.typeModifier, name.serial]).toEqual([oid, typeModifier, false]);
    expect(formatType(name.type, name.typeModifier)).toBe(printed);
  });
});
