/** `!generate`: a plausible value for a column, by its type and name; `!generate hard`: one that breaks careless consumers. */
import { printArray } from '../../postgres/index.js';
import type { TemplateScope } from '../template.js';
import type { CellType } from './cells.js';

type Faker = ReturnType<TemplateScope['faker']['at']>;

/** Text for the type's input function. */
export function generateValue(
  value: { readonly seed: number; readonly hard: boolean },
  column: CellType,
  scope: TemplateScope,
): string {
  const faker = scope.faker.at(value.seed, scope.round);
  if (!value.hard) return plausibleText(column, faker);
  const choices = hardTexts(column, faker);
  // The rounds of a `repeat` go through all of them.
  return choices[(scope.index ?? faker.number.int(choices.length - 1)) % choices.length]!;
}

/** By the column's name, for texts: the first pattern that matches. */
const byName: readonly (readonly [RegExp, (faker: Faker) => string])[] = [
  [/e?mail/, (faker) => faker.internet.email()],
  [/first_?name|given_?name/, (faker) => faker.person.firstName()],
  [/last_?name|surname|family_?name/, (faker) => faker.person.lastName()],
  [/user_?name|login|nick/, (faker) => faker.internet.username()],
  [/company|organi[sz]ation/, (faker) => faker.company.name()],
  [/product/, (faker) => faker.commerce.productName()],
  [/(^|_)name|person|customer|author/, (faker) => faker.person.fullName()],
  [/phone|mobile|fax/, (faker) => faker.phone.number()],
  [/street|address/, (faker) => faker.location.streetAddress()],
  [/city|town/, (faker) => faker.location.city()],
  [/zip|postal|postcode/, (faker) => faker.location.zipCode()],
  [/country_?code/, (faker) => faker.location.countryCode()],
  [/country/, (faker) => faker.location.country()],
  [/currency/, (faker) => faker.finance.currencyCode()],
  [/url|link|website/, (faker) => faker.internet.url()],
  [/colou?r/, (faker) => faker.color.human()],
  [/sku|code|token|key|hash/, (faker) => faker.string.alphanumeric(10).toUpperCase()],
  [/status|state/, (faker) => faker.helpers.arrayElement(['new', 'active', 'suspended', 'closed'])],
  [/title|subject/, (faker) => faker.lorem.sentence(4).replace('.', '')],
];

const byType: Readonly<Record<string, (faker: Faker, column: CellType) => string>> = {
  bool: (faker) => String(faker.datatype.boolean()),
  int2: (faker) => String(faker.number.int({ min: 0, max: 32_767 })),
  int4: (faker) => String(faker.number.int({ min: 0, max: 2_147_483_647 })),
  int8: (faker) => String(faker.number.bigInt({ min: 0n, max: 9_223_372_036_854_775_807n })),
  oid: (faker) => String(faker.number.int({ min: 16_384, max: 4_294_967_295 })),
  float4: (faker) => String(Math.fround(faker.number.float({ min: 0, max: 1000, fractionDigits: 2 }))),
  float8: (faker) => String(faker.number.float({ min: 0, max: 1_000_000, fractionDigits: 6 })),
  numeric: (faker, column) => decimal(faker, column.typeModifier),
  money: (faker) => `$${String(faker.number.int({ min: 1, max: 999 }))}.${faker.string.numeric(2)}`,
  uuid: (faker) => faker.string.uuid(),
  bytea: (faker) => `\\x${faker.string.hexadecimal({ length: 16, prefix: '', casing: 'lower' })}`,
  date: (faker) => faker.date.recent({ days: 365 }).toISOString().slice(0, 10),
  time: (faker) => faker.date.recent().toISOString().slice(11, 23),
  timetz: (faker) => `${faker.date.recent().toISOString().slice(11, 23)}+00`,
  timestamp: (faker) => faker.date.recent({ days: 365 }).toISOString().slice(0, 23),
  timestamptz: (faker) => faker.date.recent({ days: 365 }).toISOString(),
  interval: (faker) => `${String(faker.number.int({ min: 1, max: 48 }))} hours`,
  json: (faker) => jsonObject(faker),
  jsonb: (faker) => jsonObject(faker),
  inet: (faker) => faker.internet.ipv4(),
  cidr: (faker) => `${faker.internet.ipv4().replace(/\.\d+$/, '.0')}/24`,
  macaddr: (faker) => faker.internet.mac(),
  macaddr8: (faker) => `${faker.internet.mac()}:00:01`,
  bit: (faker, column) => faker.string.binary({ length: Math.max(1, column.typeModifier), prefix: '' }),
  varbit: (faker, column) =>
    faker.string.binary({ length: Math.min(8, column.typeModifier > 0 ? column.typeModifier : 8), prefix: '' }),
  point: (faker) => `(${String(faker.number.int(100))},${String(faker.number.int(100))})`,
  xml: (faker) => `<v>${faker.lorem.word()}</v>`,
};

function plausibleText(column: CellType, faker: Faker): string {
  const type = column.type;
  if (type.kind === 'domain') {
    const typeModifier = type.typeModifier;
    return plausibleText({ name: column.name, type: type.element!, typeModifier }, faker);
  }
  if (type.kind === 'array') return arrayText(column, faker);
  if (type.labels !== undefined) return faker.helpers.arrayElement(type.labels);
  if (type.fields !== undefined) {
    return `(${type.fields.map((field) => quoted(plausibleText(field, faker))).join(',')})`;
  }
  if (type.kind === 'range' || type.kind === 'multirange') return type.kind === 'range' ? 'empty' : '{}';
  const make = byType[type.name];
  if (make !== undefined) return make(faker, column);
  const named = byName.find(([pattern]) => pattern.test(column.name.toLowerCase()));
  const text = named === undefined ? faker.lorem.words(3) : named[1](faker);
  return text.slice(0, textLimit(column));
}

/** Characters that fit: n of varchar(n) and char(n), Infinity for other texts. */
function textLimit({ type, typeModifier }: CellType): number {
  return (type.name === 'varchar' || type.name === 'bpchar') && typeModifier >= 4 ? typeModifier - 4 : Infinity;
}

function arrayText(column: CellType, faker: Faker): string {
  const element = { ...column, type: column.type.element! };
  const elements = [0, 1].map(() => plausibleText(element, faker));
  return printArray({ lengths: [2], lowerBounds: [1], elements }, column.type.delimiter);
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '$&$&')}"`;
}

/** Within numeric(precision, scale). */
function decimal(faker: Faker, typeModifier: number): string {
  const precision = typeModifier < 0 ? 8 : ((typeModifier - 4) >> 16) & 0xffff;
  const scale = typeModifier < 0 ? 2 : (((typeModifier - 4) & 0x7ff) ^ 1024) - 1024;
  const whole = Math.max(0, Math.min(precision - scale, 6));
  const integer = whole === 0 ? '0' : faker.string.numeric({ length: whole, allowLeadingZeros: false });
  return scale > 0 ? `${integer}.${faker.string.numeric(Math.min(scale, 12))}` : integer;
}

function jsonObject(faker: Faker): string {
  return JSON.stringify({ [faker.lorem.word()]: faker.number.int(1000), ok: faker.datatype.boolean() });
}

/** At the edges of their types. */
const hardValues: Readonly<Record<string, readonly string[]>> = {
  int2: ['-32768', '32767', '0'],
  int4: ['-2147483648', '2147483647', '0'],
  int8: ['-9223372036854775808', '9223372036854775807', '9007199254740993'],
  float4: ['NaN', 'Infinity', '-Infinity', '-0', '1e-45', '3.4028235e+38'],
  float8: ['NaN', 'Infinity', '-Infinity', '-0', '5e-324', '1.7976931348623157e+308', '0.1'],
  numeric: ['NaN'],
  date: ['infinity', '-infinity', '0044-03-15 BC', '9999-12-31', '5874897-12-31'],
  timestamp: [
    'infinity',
    '-infinity',
    '0044-03-15 12:00:00 BC',
    '294276-12-31 23:59:59.999999',
    '1969-12-31 23:59:59.999999',
  ],
  timestamptz: ['infinity', '-infinity', '0044-03-15 12:00:00+00 BC', '294276-12-31 23:59:59.999999+00'],
  time: ['24:00:00', '00:00:00', '23:59:59.999999'],
  timetz: ['24:00:00+00', '00:00:00-15:59', '23:59:59.999999+15:59'],
  interval: ['-178000000 years', '00:00:00.000001', '1 mon -1 days +00:00:01'],
  bytea: ['\\x', '\\x00', '\\xff00ff', '\\x5c27'],
  json: ['null', '"\\u00e4"', '{"a": 1, "a": 2}', '1e400', '[]'],
  jsonb: ['null', '"ä"', '{}', '12345678901234567890.123', '[]'],
  uuid: ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
};

/** Of texts: what is empty, quoted, escaped, in several units of UTF-16, or not to be seen. */
const awkwardTexts = [
  ...['', ' ', "'", '"', '\\', '\\N', 'NULL', '{}', 'a\nb', 'a\tb'],
  ...['ä', '日本', '👩\u200d👩\u200d👧', '\u00ff', 'a\u0301', '\ufeff', '\u202e'],
];

function hardTexts(column: CellType, faker: Faker): readonly string[] {
  const type = column.type;
  if (type.kind === 'array') return ['{}', '{NULL}'];
  if (type.kind === 'domain')
    return hardTexts({ ...column, type: type.element!, typeModifier: type.typeModifier }, faker);
  if (type.labels !== undefined) return type.labels;
  if (type.kind === 'range') return ['empty'];
  if (type.kind === 'multirange') return ['{}'];
  if (type.fields !== undefined) return [`(${type.fields.map(() => '').join(',')})`];
  const values = hardValues[type.name];
  if (values !== undefined) return values;
  if (byType[type.name] !== undefined) return [plausibleText(column, faker)];
  const limit = textLimit(column);
  return awkwardTexts.filter((text) => Array.from(text).length <= limit);
}
