// Makes docs/scenario-reference.md from the JSON Schema: fake-walsender schema | node scripts/scenario-reference.mjs
import { readFileSync } from 'node:fs';

const schema = JSON.parse(readFileSync(0, 'utf8'));
const { changes, steps, partitions } = schema.definitions;

/** What a value may be, in a few words. */
function takes(value) {
  if (value.$ref !== undefined) return links[value.$ref];
  if (value.type === undefined && value.allOf !== undefined) return takes(value.allOf[0]);
  if (value.enum !== undefined) return value.enum.map((word) => `\`${word}\``).join(', ');
  if (value.const !== undefined) return `\`${value.const}\``;
  if (value.type === undefined && value.anyOf !== undefined) return [...new Set(value.anyOf.map(takes))].join(' or ');
  if (Array.isArray(value.type)) return value.type.includes('string') ? 'text' : value.type.join(' or ');
  switch (value.type) {
    case 'array':
      return value.items === undefined ? 'list' : `list of ${takes(value.items)}`;
    case 'object':
      return 'map';
    case 'integer':
      return value.maximum > Number.MAX_SAFE_INTEGER - 1 || value.maximum === undefined
        ? 'number'
        : `${value.minimum} to ${value.maximum}`;
    case 'null':
      return 'nothing';
    case 'string':
      return 'text';
    case undefined:
      return 'any value';
    default:
      return value.type;
  }
}

const links = {
  '#/definitions/changes': '[changes](#changes)',
  '#/definitions/steps': '[steps](#steps)',
  '#/definitions/partitions': '[partitions](#partitions)',
};

/** Rows of a table for all keys below a value, nested ones with the path to them. */
function rows(value, path = '') {
  const properties = Object.entries(value.properties ?? {}).flatMap(([key, property]) => {
    const name = `${path}${key}`;
    const must = value.required?.includes(key) ? ', required' : '';
    const example = property.examples?.map((each) => code(inline(each))).join(' · ') ?? '';
    return [
      `| \`${name}\` | ${takes(property)}${must} | ${cell(property.description)} | ${example} |`,
      ...rows(property, `${name}.`),
    ];
  });
  const inner = [...(value.anyOf ?? []), ...(value.items === undefined ? [] : [value.items])];
  const named = typeof value.additionalProperties === 'object' ? rows(value.additionalProperties, `${path}NAME.`) : [];
  return [...new Set([...properties, ...inner.flatMap((each) => rows(each, path)), ...named])];
}

function cell(text) {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

function code(text) {
  const fence = text.includes('`') ? '``' : '`';
  return `${fence}${cell(text)}${fence}`;
}

/** As one writes it on one line of YAML. */
function inline(value) {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, each]) => `${key}: ${inline(each)}`);
    return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
  }
  if (typeof value !== 'string') return String(value);
  return /^[\w./-][\w ./:+\\-]*$/.test(value) && !/^[\d.]+$|^(true|false|null)$|: | #/.test(value)
    ? value
    : JSON.stringify(value);
}

function table(lines) {
  return ['| key | takes | what it says | examples |', '| --- | --- | --- | --- |', ...lines, ''].join('\n');
}

/** Of several maps told apart by a key: one section each. */
function variants(list, level) {
  return list
    .map((variant) => {
      const [head] = variant.required;
      return `${level} \`${head}\`\n\n${table(rows(variant))}`;
    })
    .join('\n');
}

function section(key, value) {
  const parts = [`## \`${key}\`\n`, `${value.description}\n`];
  if (value.examples?.length > 0)
    parts.push(`\`\`\`yaml\n${value.examples.map((each) => `${key}: ${inline(each)}`).join('\n# or\n')}\n\`\`\`\n`);
  const choices = value.items?.anyOf;
  if (choices?.every(({ required }) => required !== undefined)) parts.push(variants(choices, '###'));
  else {
    const inside = rows(value);
    if (inside.length > 0) parts.push(table(inside));
  }
  return parts.join('\n');
}

/** Links to all sections: the keys at the top, steps and changes. */
function contents() {
  const seen = new Map();
  /** Of headings with the same text, the second has -1 at the end of its anchor. */
  const link = (name) => {
    const before = seen.get(name) ?? 0;
    seen.set(name, before + 1);
    return `[\`${name}\`](#${name}${before === 0 ? '' : `-${before}`})`;
  };
  const heads = (list) => list.map(({ required }) => link(required[0])).join(', ');
  return [
    `- [Top level](#top-level): ${nested.map(([key]) => link(key)).join(', ')}`,
    `- [Steps](#steps): ${heads(ownSteps)}`,
    `- [Changes](#changes): ${heads(changes.items.anyOf)}`,
    '- [Partitions](#partitions)',
    '',
  ].join('\n');
}

const changeTexts = new Set(changes.items.anyOf.map((variant) => JSON.stringify(variant)));
const changeHeads = new Set(changes.items.anyOf.map(({ required }) => required[0]));
const ownSteps = steps.items.anyOf.filter((variant) => !changeTexts.has(JSON.stringify(variant)));
const shared = steps.items.anyOf.filter((variant) => changeTexts.has(JSON.stringify(variant)));

const simple = Object.entries(schema.properties).filter(([, value]) => rows(value).length === 0);
const nested = Object.entries(schema.properties).filter(([, value]) => rows(value).length > 0);

process.stdout.write(`# Scenario files: reference

Made from the format's JSON Schema by \`scripts/scenario-reference.mjs\`. [scenarios.md](scenarios.md) is the guide.

In paths NAME stands for a name that you choose. A list may be asked for where one value is enough: \`text or list of text\`.

${contents()}
## Top level

${table(Object.entries(schema.properties).map(([key, value]) => rows({ properties: { [key]: value }, required: schema.required })[0]))}
${nested.map(([key, value]) => section(key, value)).join('\n')}
## Steps

What stands in \`stream:\`. These are steps only; ${shared.map(({ required }) => `\`${required[0]}\``).join(', ')}
may stand here as well as among a transaction's [changes](#changes)${[...changeHeads].length > 0 ? ', where they are described' : ''}.

${variants(ownSteps, '###')}
## Changes

What stands in \`changes:\` of a transaction, and, each as a transaction of its own, in \`stream:\`.

${variants(changes.items.anyOf, '###')}
## Partitions

\`partitions:\` is a map from the partitions' names to:

${table(rows(partitions))}`);
