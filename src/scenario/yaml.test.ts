import { describe, expect, it } from '@jest/globals';
import { Problems } from './diagnostic.js';
import type { Node } from './node.js';
import { Source } from './source.js';
import { parseYaml } from './yaml.js';

function parse(text: string): { node: unknown; problems: string[] } {
  const problems = new Problems();
  const node = parseYaml(new Source('x.yaml', text), problems);
  return {
    node: node && plain(node),
    problems: problems.sorted().map(({ code, line, column }) => `${code} ${line}:${column}`),
  };
}

function plain(node: Node): unknown {
  switch (node.kind) {
    case 'scalar':
      return node.tag === null ? (node.plain ? node.text : { quoted: node.text }) : { tag: node.tag, text: node.text };
    case 'list':
      return node.items.map(plain);
    case 'map':
      return Object.fromEntries(node.entries.map(({ key, value }) => [key, plain(value)]));
    case 'broken':
      return 'broken';
  }
}

describe('YAML', () => {
  it('keeps scalars as they are written', () => {
    const { node, problems } = parse('{ a: 17.10, b: 00123, c: 0x1F, d: "1", e: null, f: , g: on, h: !raw x }');
    expect(problems).toEqual([]);
    expect(node).toEqual({
      ...{ a: '17.10', b: '00123', c: '0x1F', d: { quoted: '1' }, e: 'null', f: '', g: 'on' },
      h: { tag: '!raw', text: 'x' },
    });
  });

  it('refuses half of a surrogate pair, which no encoding has', () => {
    expect(parse('a: "\\uD83D\\uDE00"').node).toEqual({ a: { quoted: '😀' } });
    expect(parse('a: "\\uD83D"\nb: 1').problems).toEqual(['yaml-syntax 1:4']);
  });

  it('reads block scalars, comments, a byte order mark and other line ends', () => {
    expect(parse('\ufeffa: |\r\n  one\r\n  two\r\nb: x # not this\r\n').node).toEqual({
      a: { quoted: 'one\ntwo\n' },
      b: 'x',
    });
  });

  it('follows aliases and merge keys: own keys win, then earlier merges', () => {
    const text =
      'base: &base { a: 1, b: 1 }\nmore: &more { b: 2, c: 2 }\nmerged: { <<: [*base, *more], a: 0 }\nsame: *base';
    expect(parse(text)).toEqual({
      node: {
        base: { a: '1', b: '1' },
        more: { b: '2', c: '2' },
        merged: { a: '0', b: '1', c: '2' },
        same: { a: '1', b: '1' },
      },
      problems: [],
    });
  });

  it.each([
    ['a: 1\na: 2', ['duplicate-key 2:1']],
    ['a: {{index}}', ['unquoted-template 1:4']],
    ['a: {{number.int({"min":1})}}', ['unquoted-template 1:4']],
    ["a: '{{index}}'", []],
    ['a: *b', ['yaml-alias 1:4']],
    ['a: &b [*b]', ['yaml-alias 1:8']],
    ['a: !!int 5', ['yaml-tag 1:4']],
    ['[a]: 1', ['yaml-key 1:1']],
    ['a: 1\n---\nb: 2', ['yaml-documents 2:1']],
    ['a: 1\n---\n', ['yaml-documents 2:1']],
    ['\ta: 1', ['yaml-syntax 1:1']],
    ['a: b: c', ['yaml-syntax 1:4']],
    ['a: "b', ['yaml-syntax 1:6']],
    ['a: 1\n...\n', []],
    ['---\na: 1', []],
    ['# nothing', []],
  ])('%j: %j', (text, expected) => {
    expect(parse(text).problems).toEqual(expected);
  });
});
