/** The JSON Schema: editors complete, explain and check scenario files with it. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { isMap, isNode, isScalar, isSeq, parse, parseDocument, type Document } from 'yaml';
import { loadScenario, scenarioJsonSchema } from '../../src/scenario-file.js';
import { expectGolden } from './golden-text.js';
import { scenarioFiles } from './scenario-files.js';

interface Property {
  /** As a JSON pointer into the schema. */
  readonly pointer: string;
  readonly schema: { readonly description?: string; readonly examples?: readonly unknown[] };
}

const ajv = new Ajv({ strict: true, strictRequired: false, allowUnionTypes: true, allErrors: true });
const validate = ajv.addSchema(scenarioJsonSchema(), 'scenario').getSchema('scenario')!;
const properties = propertiesIn(scenarioJsonSchema(), '');

function propertiesIn(schema: unknown, pointer: string): Property[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]: [string, unknown]) => {
    if (key === 'examples') return [];
    const at = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const own = pointer.endsWith('/properties') ? [{ pointer: at, schema: value as Property['schema'] }] : [];
    return [...own, ...propertiesIn(value, at)];
  });
}

describe('every key', () => {
  it('is described', () => {
    expect(properties.length).toBeGreaterThan(500);
    const lacking = properties.filter(({ schema }) => (schema.description ?? '') === '');
    expect(lacking.map(({ pointer }) => pointer)).toEqual([]);
  });

  it('has an example', () => {
    const lacking = properties.filter(({ schema }) => (schema.examples ?? []).length === 0);
    expect(lacking.map(({ pointer }) => pointer)).toEqual([]);
  });

  it('takes its examples', () => {
    const refused = properties.flatMap(({ pointer, schema }) => {
      const check = ajv.compile({ $ref: `scenario#${encodeURI(pointer)}` });
      return (schema.examples ?? []).filter((example) => !check(example)).map((example) => ({ pointer, example }));
    });
    expect(refused).toEqual([]);
  });
});

describe('scenario files', () => {
  it.each(scenarioFiles)('%s is valid', (_, path) => {
    void validate(parse(readFileSync(path, 'utf8'), { logLevel: 'error' }));
    expect(validate.errors ?? []).toEqual([]);
  });
});

describe('mistakes', () => {
  it.each(['keys', 'statements'])('in %s.yaml are found by the schema, as far as it can know', (name) => {
    const folder = `${import.meta.dirname}/mistakes`;
    const written = readFileSync(`${folder}/${name}.yaml`, 'utf8');
    const { problems } = loadScenario(written);
    // What is no YAML, or not meant as a map, is for the linter; positions stay as they are.
    const text = written.split('\n---')[0]!.replaceAll(/\{\{.*?\}\}/g, (template) => 'x'.padEnd(template.length));
    const document = parseDocument(text, { logLevel: 'error' });
    void validate(document.toJS());
    const found = new Set((validate.errors ?? []).map(({ instancePath }) => instancePath));
    const lines = problems.map(({ code, line, column }) => {
      const [path, parent] = pathsAt(document, offsetOf(text, line, column));
      return `${line}:${column} ${code}: ${found.has(path) || found.has(parent) ? 'schema' : 'linter only'}`;
    });
    expectGolden(`${folder}/${name}.schema.txt`, `${lines.join('\n')}\n`);
  });
});

function offsetOf(text: string, line: number, column: number): number {
  return (
    text
      .split('\n')
      .slice(0, line - 1)
      .reduce((sum, { length }) => sum + length + 1, 0) +
    column -
    1
  );
}

/** JSON pointers of the innermost value at a place of the text, its key included, and of what contains it. */
function pathsAt(document: Document, offset: number): [innermost: string, container: string] {
  const path: string[] = [];
  let node: unknown = document.contents;
  for (;;) {
    const parts: [unknown, string, number][] = isMap(node)
      ? node.items.map(({ key, value }) => [value, String(isScalar(key) ? key.value : key), start(key)])
      : isSeq(node)
        ? node.items.map((item, i) => [item, String(i), start(item)])
        : [];
    const inside = parts.findLast(([, , from]) => from <= offset);
    if (inside === undefined) break;
    path.push(inside[1]);
    node = inside[0];
  }
  const pointer = (parts: readonly string[]): string => parts.map((part) => `/${part.replaceAll('/', '~1')}`).join('');
  return [pointer(path), pointer(path.slice(0, -1))];
}

function start(node: unknown): number {
  return isNode(node) ? node.range![0] : Infinity;
}
