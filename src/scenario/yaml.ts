/** YAML text → nodes. Every trap of YAML that could change what the author meant is an error here, none is ignored. */
import { isAlias, isMap, isScalar, isSeq, parseAllDocuments, visit } from 'yaml';
import type { Alias, Document, ParsedNode, Scalar, YAMLError, YAMLMap } from 'yaml';
import type { DiagnosticCode, DiagnosticExtras, Problems } from './diagnostic.js';
import { valueTags, type Entry, type Node, type ValueTag } from './node.js';
import type { Source, Span } from './source.js';
import { didYouMean, quote } from './suggestion.js';

/** Aliases of aliases multiply: past this many nodes a file is refused. */
const maxNodes = 2_000_000;

/** The root of the one document in `source`; undefined for an empty file. Never throws: everything wrong is in `problems`. */
export function parseYaml(source: Source, problems: Problems): Node | undefined {
  let documents;
  try {
    // The failsafe schema leaves every scalar as text: 17.10 stays 17.10.
    documents = parseAllDocuments(source.text, { schema: 'failsafe', uniqueKeys: false, prettyErrors: false });
  } catch (error) {
    // Nesting deeper than the parser's stack.
    const at = { source, start: 0, end: Math.min(1, source.text.length) };
    problems.add('yaml-syntax', at, `this text cannot be read as YAML: ${(error as Error).message}`);
    return undefined;
  }
  const [document, second] = documents;
  for (const { errors } of documents) for (const error of errors) reportSyntax(error, source, problems);
  if (second !== undefined) {
    const start = source.text.lastIndexOf('\n---', second.range[0]) + 1;
    const message = 'a second YAML document starts here: a file holds one scenario';
    problems.add('yaml-documents', { source, start, end: start + 3 }, message, {
      hint: 'put it into a file of its own',
    });
  }
  if (document === undefined || document.contents === null) return undefined;
  return new NodeBuilder(source, document, problems).build(document.contents);
}

function reportSyntax(error: YAMLError, source: Source, problems: Problems): void {
  const [start, end] = error.pos;
  const template = findUnquotedTemplate(source, start);
  if (template !== undefined) {
    reportTemplate(template, problems);
    return;
  }
  if (error.message.startsWith('Maximum call stack')) {
    problems.add('yaml-syntax', { source, start, end: start + 1 }, 'lists and maps are nested too deeply here');
    return;
  }
  const message = `YAML: ${error.message.charAt(0).toLowerCase()}${error.message.slice(1)}`;
  problems.add('yaml-syntax', { source, start, end: Math.max(end, start + 1) }, message, { hint: syntaxHint(error) });
}

function syntaxHint(error: YAMLError): string | undefined {
  if (error.code === 'TAB_AS_INDENT') return 'indent with spaces';
  if (error.code === 'BLOCK_AS_IMPLICIT_KEY' || error.code === 'BLOCK_IN_FLOW')
    return 'a text that contains ": " needs quotes';
  if (error.code === 'BAD_SCALAR_START') return 'a text that starts with this character needs quotes';
  return undefined;
}

/** `{{…}}` outside quotes on the line of `offset`: what YAML complains about is then only what came of it. */
function findUnquotedTemplate(source: Source, offset: number): Span | undefined {
  const lineStart = source.text.lastIndexOf('\n', offset - 1) + 1;
  const line = /[^\n]*/.exec(source.text.slice(lineStart))![0];
  const unquoted = line.replace(/'[^']*'|"(?:[^"\\]|\\.)*"/g, (text) =>
    text.includes('{{') ? ' '.repeat(text.length) : text,
  );
  const template = /\{\{.*?\}\}/.exec(unquoted);
  if (template === null) return undefined;
  const start = lineStart + template.index;
  return { source, start, end: start + template[0].length };
}

function reportTemplate(at: Span, problems: Problems): void {
  const text = at.source.text.slice(at.start, at.end);
  problems.add('unquoted-template', at, `${text} without quotes is a map to YAML`, { hint: `write '${text}'` });
}

class NodeBuilder {
  private readonly anchors = new Map<string, { readonly offset: number; readonly node: ParsedNode }[]>();
  /** Nodes on the way from the root: an alias to one of them would never end. */
  private readonly open = new Set<ParsedNode>();
  /** Nodes that were built, with their size once every alias is followed. */
  private readonly built = new Map<ParsedNode, { readonly node: Node; readonly size: number }>();
  private size = 0;

  constructor(
    private readonly source: Source,
    document: Document.Parsed,
    private readonly problems: Problems,
  ) {
    // Most files have none.
    if (!source.text.includes('&')) return;
    visit(document, {
      Node: (_, node) => {
        if (isAlias(node) || node.anchor === undefined) return;
        const parsed = node as ParsedNode;
        const list = this.anchors.get(node.anchor);
        if (list === undefined) this.anchors.set(node.anchor, [{ offset: parsed.range[0], node: parsed }]);
        else list.push({ offset: parsed.range[0], node: parsed });
      },
    });
  }

  build(parsed: ParsedNode): Node {
    if (isAlias(parsed)) return this.follow(parsed);
    const known = this.built.get(parsed);
    if (known !== undefined) {
      this.size += known.size;
      return known.node;
    }
    const before = this.size++;
    this.open.add(parsed);
    const node = this.convert(parsed);
    this.open.delete(parsed);
    if (parsed.anchor !== undefined) this.built.set(parsed, { node, size: this.size - before });
    return node;
  }

  private convert(parsed: Exclude<ParsedNode, Alias.Parsed>): Node {
    const at = this.span(parsed);
    const tag = this.tag(parsed);
    if (tag === undefined) return { kind: 'broken', at };
    if (isScalar(parsed) && parsed.type === 'QUOTE_DOUBLE' && /\p{Surrogate}/u.test(parsed.source)) {
      this.report('yaml-syntax', at, 'half of a surrogate pair is no character', {
        hint: 'write both halves: "\\uD83D\\uDE00"',
      });
      return { kind: 'broken', at };
    }
    if (isScalar(parsed))
      return { kind: 'scalar', text: parsed.source, plain: isPlain(parsed) && parsed.tag === undefined, tag, at };
    if (isSeq(parsed)) {
      const items = parsed.items.map((item) => this.build(item));
      return { kind: 'list', items, tag, at };
    }
    if (isUnquotedTemplate(parsed)) {
      reportTemplate(findUnquotedTemplate(this.source, at.start) ?? at, this.problems);
      return { kind: 'broken', at };
    }
    const entries = this.entries(parsed);
    return { kind: 'map', entries, incomplete: parsed.items.some(({ key }) => !isName(key)), tag, at };
  }

  private follow(alias: Alias.Parsed): Node {
    const at = this.span(alias);
    const target = this.anchors.get(alias.source)?.findLast((anchor) => anchor.offset < alias.range[0])?.node;
    if (target === undefined) {
      const hint = didYouMean(alias.source, this.anchors.keys()) ?? 'a text that starts with * needs quotes';
      this.report('yaml-alias', at, `no anchor &${alias.source} stands before this alias`, { hint });
      return { kind: 'broken', at };
    }
    if (this.open.has(target)) {
      this.report('yaml-alias', at, `the alias *${alias.source} stands inside its own anchor`);
      return { kind: 'broken', at };
    }
    const node = this.build(target);
    if (this.size > maxNodes) {
      this.report('yaml-alias', at, `aliases of aliases: the file grows past ${maxNodes} nodes here`);
      return { kind: 'broken', at };
    }
    return node;
  }

  /** Own keys win over merged ones, earlier merges over later ones, as YAML's merge key says. */
  private entries(map: YAMLMap.Parsed): Entry[] {
    const own = new Map<string, Entry>();
    const merged: Entry[] = [];
    for (const pair of map.items) {
      const key = pair.key;
      if (!isName(key)) {
        this.report(
          'yaml-key',
          this.span(key),
          'a key is plain text here, not a list, a map, an alias or a tagged value',
        );
        continue;
      }
      const keyAt = this.span(key);
      const value = pair.value;
      if (key.source === '<<' && isPlain(key)) {
        merged.push(...this.merge(value, keyAt));
        continue;
      }
      const first = own.get(key.source);
      if (first !== undefined) {
        const related = [{ at: first.keyAt, message: 'the first one' }];
        this.report('duplicate-key', keyAt, `${quote(key.source)} stands twice in this map`, { related });
        continue;
      }
      const end = { ...keyAt, start: keyAt.end };
      const missing: Node = { kind: 'scalar', text: '', plain: true, tag: null, at: end };
      own.set(key.source, { key: key.source, keyAt, value: value === null ? missing : this.build(value) });
    }
    for (const entry of merged) if (!own.has(entry.key)) own.set(entry.key, entry);
    return [...own.values()];
  }

  private merge(value: ParsedNode | null, keyAt: Span): readonly Entry[] {
    const node = value === null ? undefined : this.build(value);
    if (node?.kind === 'broken') return [];
    const maps = node?.kind === 'list' ? node.items : [node];
    return maps.flatMap((map) => {
      if (map?.kind === 'map') return map.entries;
      this.report('wrong-type', keyAt, 'the merge key `<<` takes an alias of a map, or a list of such aliases');
      return [];
    });
  }

  /** Null: none. Undefined: one that the format does not have (reported). */
  private tag(parsed: Exclude<ParsedNode, Alias.Parsed>): ValueTag | null | undefined {
    const tag = parsed.tag;
    if (tag === undefined) return null;
    // A core tag that says what the node is anyway changes nothing; `!` alone makes a plain scalar text, as quotes do.
    if (tag === `tag:yaml.org,2002:${isScalar(parsed) ? 'str' : isSeq(parsed) ? 'seq' : 'map'}`) return null;
    const known = valueTags.find((candidate) => candidate === tag);
    if (known === undefined) {
      const name = tag.replace('tag:yaml.org,2002:', '!!');
      const hint = didYouMean(name, valueTags) ?? `the tags are ${valueTags.join(', ')}`;
      this.report('yaml-tag', this.span(parsed), `there is no tag ${quote(name)}`, { hint });
    }
    return known;
  }

  /** From the tag, where there is one, to the end of the value. */
  private span(node: ParsedNode): Span {
    const [start, end] = node.range;
    if (isAlias(node) || node.tag === undefined) return { source: this.source, start, end };
    const tag = /!\S*\s*(?:&\S+\s+)?$/.exec(this.source.text.slice(Math.max(0, start - 200), start));
    return { source: this.source, start: tag === null ? start : start - tag[0].length, end };
  }

  private report(code: DiagnosticCode, at: Span, message: string, extras?: DiagnosticExtras): void {
    this.problems.add(code, at, message, extras);
  }
}

function isName(key: ParsedNode): key is Scalar.Parsed {
  return isScalar(key) && key.tag === undefined;
}

/** `{{index}}` is to YAML a map whose only key is a map. */
function isUnquotedTemplate(map: YAMLMap.Parsed): boolean {
  const key = map.items[0]?.key;
  return map.items.length === 1 && isMap(key) && map.flow === true && map.range[0] + 1 === key.range[0];
}

function isPlain(scalar: Scalar): boolean {
  return scalar.type === 'PLAIN' || scalar.type === undefined;
}
