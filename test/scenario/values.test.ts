/** Written values become what the server's output functions print (manual, chapter "Data Types"). */
import { describe, expect, it } from '@jest/globals';
import { readScenario, type Diagnostic } from '../../src/scenario/index.js';
import { changeLines } from './encoded-text.js';

function inserted(type: string, value: string): string {
  const [, line] = changeLines(scenario(type, value));
  return /^750 insert \((.*)\)$/s.exec(line!)![1]!;
}

function scenario(type: string, value: string): string {
  return `
scenario: one value
types:
  mood: { enum: [sad, ok, happy] }
  price: { domain: "numeric(10,2)" }
  addr: { composite: { street: text, zip: int4, moods: "mood[]" } }
tables:
  t: { columns: { v: ${JSON.stringify(type)} } }
stream:
  - insert: t
    row: { v: ${value} }
`;
}

function refused(type: string, value: string): Diagnostic {
  const { problems } = readScenario(scenario(type, value));
  expect(problems).toHaveLength(1);
  expect(problems[0]!.line).toBe(11);
  return problems[0]!;
}

describe('a value', () => {
  it.each([
    ['boolean', 'true', 't'],
    ['text', 'true', 'true'],
    ['text', '17.10', '17.10'],
    ['numeric', '10.50', '10.50'],
    ['numeric(10,2)', '10.5', '10.50'],
    ['numeric', '123456789012345678901234567890.000000001', '123456789012345678901234567890.000000001'],
    ['bigint', '9223372036854775807', '9223372036854775807'],
    ['text', '00123', '00123'],
    ['text', '"null"', 'null'],
    ['text', 'null', 'null'],
    ['text', '~', 'null'],
    ['text', '""', ''],
    ['text', "'it''s'", "it's"],
    ['text', '"a\\nb"', 'a\nb'],
    ['float8', '.inf', 'Infinity'],
    ['float4', '-.Inf', '-Infinity'],
    ['numeric', '.nan', 'NaN'],
    ['text', '.nan', '.nan'],
    ['timestamptz', '2026-01-01T10:00:00+02:00', '2026-01-01 08:00:00+00'],
    ['timestamp', '2026-01-01T10:00:00.5', '2026-01-01 10:00:00.5'],
    ['date', '2026-01-01', '2026-01-01'],
    ['char(5)', 'ab', 'ab   '],
    ['int4range', '"(1,4]"', '[2,5)'],
    ['bytea', '!bytes "\\\\xDEAD"', '\\xdead'],
    ['bytea', '!bytes de ad be', '\\xdeadbe'],
    ['mood', 'happy', 'happy'],
    ['price', '7', '7.00'],
    ['text[]', '[a, "b c", null, "null", ""]', '{a,"b c",NULL,"null",""}'],
    ['int[]', '[[1, 2], [3, 4]]', '{{1,2},{3,4}}'],
    ['int[]', '[]', '{}'],
    ['mood[]', '[sad, ok]', '{sad,ok}'],
    ['box[]', '["(1,1),(0,0)", "(2,2),(1,1)"]', '{(1,1),(0,0);(2,2),(1,1)}'],
    ['addr', '{ street: "Main St", zip: 12345, moods: [ok, sad] }', '("Main St",12345,"{ok,sad}")'],
    ['addr', '{ zip: 1 }', '(,1,)'],
    ['addr[]', '[{ street: a, zip: 1 }]', '{"(a,1,)"}'],
    ['json', '{ a: 1.50, b: [true, null, "x"], c: 1e400 }', '{"a": 1.50, "b": [true, null, "x"], "c": 1e400}'],
    ['jsonb', '{ b: 1, a: 12345678901234567890.10 }', '{"a": 12345678901234567890.10, "b": 1}'],
    ['jsonb', '[1, two]', '[1, "two"]'],
    ['json', '\'{"spaced":   1}\'', '{"spaced":   1}'],
    ['text', '!raw "exactly {{this}}"', 'exactly {{this}}'],
    ['int', '!raw "not a number"', 'not a number'],
    ['text', "'\\{{not a template}}'", '{{not a template}}'],
    ['text', "'xid {{xid}}'", 'xid 750'],
    ['text', '!!str 007', '007'],
  ])('%s: %s → %s', (type, written, expected) => {
    expect(inserted(type, written)).toBe(expected);
  });

  it.each([
    ['smallint', '300000', /"300000" is out of range for type smallint; .* 22003/],
    ['uuid', 'abc', /invalid input syntax for type uuid: "abc"; .* 22P02/],
    ['mood', 'angry', /invalid input value for enum mood: "angry"/],
    ['varchar(3)', 'abcd', /value too long for type character varying\(3\); .* 22001/],
    ['int', '[1]', /of type integer, which takes no list/],
    ['text', '{ a: 1 }', /of type text, which takes no map/],
    ['addr', '{ stret: x }', /addr has no attribute `stret`/],
    ['text', '!bytes "00"', /!bytes is for columns of type bytea/],
    ['int', '!toasted 5', /integer, which is never stored out of line/],
    ['text', '!unchanged', /only the new row of an UPDATE can leave a value unchanged/],
    ['json', 'hello', /invalid input syntax for type json/],
  ])('%s: %s is refused where it stands', (type, written, message) => {
    expect(refused(type, written).message).toMatch(message);
  });
});
