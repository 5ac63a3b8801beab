import { describe, it, expect } from '@jest/globals';
import { arrayOf } from './array.js';
import { formatType } from './format-type.js';
import { TypeNameError } from './type-name-error.js';
import { parseTypeName, type TypeScope } from './type-name.js';
import { enumType } from './user-defined.js';

const status = enumType({ oid: 16400, namespace: 'app', name: 'Status', arrayOid: 16399 }, ['on', 'off']);
const scope: TypeScope = {
  find: (namespace, name) => ((namespace ?? 'app') === 'app' && name === 'Status' ? status : undefined),
  arrayOf: (element) => (element === status ? arrayOf(status) : undefined),
  names: () => ['app.Status'],
};

describe('parseTypeName', () => {
  // OID and atttypmod of columns declared so on an 18.4 server, and format_type of them.
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
    ['numeric(3,-2)', 1700, 198658, 'numeric(3,-2)'],
    ['char', 1042, 5, 'character(1)'],
    ['char(5)', 1042, 9, 'character(5)'],
    ['national character varying(7)', 1043, 11, 'character varying(7)'],
    ['bpchar', 1042, -1, 'bpchar'],
    ['"char"', 18, -1, '"char"'],
    ['bit', 1560, 1, 'bit(1)'],
    ['bit(5)', 1560, 5, 'bit(5)'],
    ['"bit"', 1560, -1, '"bit"'],
    ['bit varying(12)', 1562, 12, 'bit varying(12)'],
    ['double precision', 701, -1, 'double precision'],
    ['float(24)', 700, -1, 'real'],
    ['float', 701, -1, 'double precision'],
    ['time(3)', 1083, 3, 'time(3) without time zone'],
    ['time with time zone', 1266, -1, 'time with time zone'],
    ['timestamp(3) with time zone', 1184, 3, 'timestamp(3) with time zone'],
    ['timestamp without time zone', 1114, -1, 'timestamp without time zone'],
    ['timestamptz(0)', 1184, 0, 'timestamp(0) with time zone'],
    ['interval year to month', 1186, 458751, 'interval year to month'],
    ['interval day to second(3)', 1186, 470286339, 'interval day to second(3)'],
    ['interval(2)', 1186, 2147418114, 'interval(2)'],
    ['interval minute', 1186, 134283263, 'interval minute'],
    ['pg_catalog.int4', 23, -1, 'integer'],
    ['int4multirange', 4451, -1, 'int4multirange'],
    ['_text', 1009, -1, 'text[]'],
    ['"Status"', 16400, -1, 'app."Status"'],
    ['app."Status"[]', 16399, -1, 'app."Status"[]'],
  ])('%s', (text, oid, typeModifier, printed) => {
    const name = parseTypeName(text, 18, scope);
    expect([name.type.oid, name.typeModifier, name.serial]).toEqual([oid, typeModifier, false]);
    expect(formatType(name.type, name.typeModifier)).toBe(printed);
  });

  it('reads serial types as integers', () => {
    expect(parseTypeName('bigserial', 18)).toMatchObject({ type: { name: 'int8' }, serial: true });
    expect(() => parseTypeName('serial[]', 18)).toThrow('array of serial is not implemented');
  });

  it.each([
    ['intger', '42704', 'type "intger" does not exist'],
    ['app.mood', '42704', 'type "app.mood" does not exist'],
    ['int4multirange', '42704', 'type "int4multirange" does not exist'],
    ['int(4)', '42601', 'type modifier is not allowed for type "int4"'],
    ['numeric(0)', '22023', 'NUMERIC precision 0 must be between 1 and 1000'],
    ['numeric(2,3)', '22023', 'NUMERIC scale 3 must be between 0 and precision 2'],
    ['varchar(0)', '22023', 'length for type varchar must be at least 1'],
    ['char(10485761)', '22023', 'length for type char cannot exceed 10485760'],
    ['float(54)', '22023', 'precision for type float must be less than 54 bits'],
    ['text[', '42601', 'syntax error at end of input in type name "text["'],
    ['timestamp with zone', '42601', 'syntax error at or near "zone" in type name "timestamp with zone"'],
    ['', '42601', 'syntax error at end of input in type name ""'],
  ])('refuses %s', (text, sqlState, message) => {
    let error: unknown;
    try {
      parseTypeName(text, 13, scope);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(TypeNameError);
    expect(error).toMatchObject({ sqlState, message });
  });

  it('tells which names there are', () => {
    expect(() => parseTypeName('app.Staus', 18, scope)).toThrow(
      expect.objectContaining({
        unknownName: 'app.staus',
        knownNames: expect.arrayContaining(['app.Status', 'integer', 'text', 'tstzrange']),
      }),
    );
  });
});
