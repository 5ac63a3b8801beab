import { describe, it, expect } from '@jest/globals';
import { parseTypeName } from '../postgres/index.js';
import type { PgType } from '../postgres/pg-type.js';
import { partitionHash } from './partition-hash.js';

const type = (name: string): PgType => parseTypeName(name, 18).type;

/** Remainders modulo 16, as rows of a hash-partitioned table lay on a server (18.4). */
const observed: readonly (readonly [type: string, value: string, remainder: number])[] = [
  ['int4', '0', 0],
  ['int4', '1', 8],
  ['int4', '-1', 5],
  ['int4', '42', 2],
  ['int4', '2147483647', 15],
  ['int2', '7', 7],
  ['int2', '-7', 10],
  ['int8', '0', 0],
  ['int8', '1', 8],
  ['int8', '-1', 5],
  ['int8', '9223372036854775807', 6],
  ['int8', '-5000000000', 11],
  ['text', '', 6],
  ['text', 'a', 14],
  ['text', 'abc', 5],
  ['text', 'hello world, this is longer than twelve bytes', 7],
  ['text', 'ünï', 15],
  ['varchar', 'abc', 5],
  ['char(5)', 'ab   ', 0],
  ['bool', 't', 8],
  ['bool', 'f', 0],
  ['uuid', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 0],
  ['bytea', '\\x00ff', 9],
  ['bytea', '\\x', 6],
  ['date', '2024-01-01', 7],
  ['date', '1999-12-31', 5],
  ['timestamp', '2024-01-01 12:30:00.5', 5],
  ['timestamptz', '2024-01-01 12:30:00+00', 7],
  ['oid', '16384', 5],
];

describe('partitionHash', () => {
  it.each(observed)('%s %j goes to remainder %i of 16', (name, value, remainder) => {
    expect(Number(partitionHash([type(name)], [value]) % 16n)).toBe(remainder);
  });

  it.each([
    [['1', 'x', '5'], 7],
    [[null, 'y', '6'], 15],
    [['3', null, null], 9],
  ])('combines columns, passing NULLs over: %j', (key, remainder) => {
    expect(Number(partitionHash([type('int4'), type('text'), type('int8')], key) % 16n)).toBe(remainder);
  });
});
