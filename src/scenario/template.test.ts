import { describe, expect, it } from '@jest/globals';
import { FakerValues } from './faker.js';
import { evaluateTemplate, parseTemplate, type TemplateScope } from './template.js';
import { TemplateError } from './template-error.js';

const faker = new FakerValues(42, new Date('2026-01-01T00:00:00Z'));
const scope: TemplateScope = {
  index: 7,
  round: 1,
  xid: () => 750,
  label: (name) => (name === 'after-first' ? '0/15000A0' : undefined),
  faker,
};

function evaluate(text: string, changes: Partial<TemplateScope> = {}): string | null {
  const template = parseTemplate(text, 1);
  return typeof template === 'string' ? template : evaluateTemplate(template, { ...scope, ...changes });
}

describe('a template', () => {
  it.each([
    ['plain', 'plain'],
    ['{{index}}', '7'],
    ['user-{{index}}@{{xid}}.example', 'user-7@750.example'],
    ['{{ index }}', '7'],
    ['at {{after-first.lsn}}', 'at 0/15000A0'],
    ['\\{{index}} is {{index}}', '{{index}} is 7'],
    ['\\{{', '{{'],
    ['a }} b', 'a }} b'],
    ['{{number.int({"min":3,"max":3})}}', '3'],
    ['{{helpers.arrayElement([{"a":{"b":1}}])}}', '{"a":{"b":1}}'],
    ['{{helpers.arrayElement(["}}"])}}', '}}'],
    ['{{helpers.arrayElement([null])}}', null],
    ['x{{helpers.arrayElement([null])}}', 'x'],
    ['{{date.anytime({"refDate":"2026-01-01T00:00:00Z"})}}', expect.stringMatching(/^202[567]-\d\d-\d\dT[\d:.]+Z$/)],
  ])('%s → %s', (text, expected) => {
    expect(evaluate(text)).toEqual(expected);
  });

  it.each([
    ['{{index', /without its/],
    ['{{indx}}', /not a variable or a faker function/],
    ['{{persn.fullName}}', /no module `persn`/],
    ['{{person.fulName}}', /no function `person.fulName`/],
    ['{{number.int({min:1})}}', /does not end in arguments/],
    ['{{after-last.lsn}}', /no label `after-last`/],
    ['{{number.int({"min":9,"max":1})}}', /refuses its arguments/],
    ['{{rawDefinitions.x}}', /no module `rawDefinitions`/],
    ['{{person.constructor}}', /no function/],
  ])('%s is refused', (text, message) => {
    expect(() => evaluate(text)).toThrow(TemplateError);
    expect(() => evaluate(text)).toThrow(message);
  });

  it('knows where its variables mean nothing', () => {
    expect(() => evaluate('{{index}}', { index: undefined })).toThrow(/inside a `repeat`/);
    expect(() => evaluate('{{xid}}', { xid: undefined })).toThrow(/inside a transaction/);
  });
});

describe('a generated value', () => {
  const name = (seed: number, round: number, values = faker): string | null => {
    const template = parseTemplate('{{person.fullName}}', seed);
    return evaluateTemplate(template as Exclude<typeof template, string>, { ...scope, round, faker: values });
  };

  it('follows from the seed, the place and the round, and nothing else', () => {
    const first = name(1, 0);
    name(2, 0);
    expect(name(1, 0)).toBe(first);
    expect(name(1, 0, new FakerValues(42, new Date(0)))).toBe(first);
  });

  it('differs with each of them', () => {
    const values = [name(1, 0), name(2, 0), name(1, 1), name(1, 0, new FakerValues(43, new Date(0)))];
    expect(new Set(values).size).toBe(4);
  });
});
