/** A scenario and what it includes, read and merged: what compiling starts from. */
import { Problems, type DiagnosticCode } from './diagnostic.js';
import { readDump } from './dump/dump-reading.js';
import { includedFile, scenarioFile, type IncludedFile, type ScenarioFile } from './format/scenario.js';
import type { Node } from './node.js';
import type { Named } from './object.js';
import { Reader } from './shape.js';
import type { SqlSupport } from './sql-support.js';
import { Source, type Located, type Span } from './source.js';
import { parseYaml } from './yaml.js';

export interface ScenarioDocument extends Omit<ScenarioFile, 'types' | 'tables' | 'publications'> {
  readonly types: readonly Named<NonNullable<ScenarioFile['types']>[number]['value']>[];
  readonly tables: NonNullable<ScenarioFile['tables']>;
  readonly publications: ScenarioFile['publications'];
  /** Executes its `sql:` steps. */
  readonly sql?: SqlSupport | undefined;
}

/**
 * Reads a file to include. @param path - relative to the folder of the scenario, with `/`, never outside it
 * @throws Error with a message for the author when there is no such file
 */
export type ReadFile = (path: string) => string;

/** Undefined when too much is missing to go on. Everything wrong is in `problems`. */
export function readDocument(
  text: string,
  file: string,
  problems: Problems,
  { readFile, sql }: { readonly readFile?: ReadFile | undefined; readonly sql?: SqlSupport | undefined } = {},
): ScenarioDocument | undefined {
  const source = new Source(file, text);
  problems.sources.set(file, source);
  const root = parseYaml(source, problems);
  if (root === undefined) {
    if (problems.list.length === 0) {
      problems.add('missing-key', { source, start: 0, end: 0 }, 'the file is empty: a scenario needs `scenario`');
    }
    return undefined;
  }
  const scenario = scenarioFile.read(root, new Reader(source, problems));
  if (scenario === undefined) return undefined;
  const included = new Includer(problems, readFile, folderOf(file), sql).all(scenario.include ?? []);
  const parts: readonly IncludedFile[] = [...included, scenario];
  const publications = parts.flatMap((part) => part.publications ?? []);
  return {
    ...scenario,
    sql,
    types: unique(
      parts.flatMap((part) => part.types ?? []),
      'type',
      problems,
    ),
    tables: unique(
      parts.flatMap((part) => part.tables ?? []),
      'table',
      problems,
    ),
    publications: parts.some((part) => part.publications !== undefined)
      ? unique(publications, 'publication', problems)
      : undefined,
  };
}

/** Within one file, YAML's duplicate keys are found before; this is for what two files declare. */
function unique<T>(entries: readonly Named<T>[], what: string, problems: Problems): readonly Named<T>[] {
  const first = new Map<string, Located<string>>();
  return entries.filter(({ name }) => {
    // `users` and `public.users` are one table; publications have no schema.
    const key = what === 'publication' || name.value.includes('.') ? name.value : `public.${name.value}`;
    const other = first.get(key);
    if (other === undefined) {
      first.set(key, name);
      return true;
    }
    problems.add('duplicate-name', name.at, `the ${what} \`${name.value}\` is declared twice`, {
      related: [{ at: other.at, message: 'the first time' }],
    });
    return false;
  });
}

class Includer {
  private readonly seen = new Set<string>();

  constructor(
    private readonly problems: Problems,
    private readonly readFile: ReadFile | undefined,
    /** As file names of diagnostics begin: `scenarios/`, or nothing. */
    private readonly folder: string,
    private readonly sql: SqlSupport | undefined,
  ) {}

  all(names: readonly Located<string>[], from = ''): IncludedFile[] {
    return names.flatMap((name) => this.include(name, from));
  }

  /** Each file counts once, however often it is included. @param from - folder of the including file */
  private include({ value: name, at }: Located<string>, from: string): IncludedFile[] {
    const path = insidePath(from, name);
    if (path === undefined) {
      this.report('include', at, `${name} lies outside the folder of the scenario`);
      return [];
    }
    if (this.seen.has(path)) return [];
    this.seen.add(path);
    if (this.readFile === undefined) {
      this.report('include', at, 'files can be included only by a scenario that is a file itself');
      return [];
    }
    let text: string;
    try {
      text = this.readFile(path);
    } catch (error) {
      this.report('include', at, `${name} cannot be read: ${(error as Error).message}`);
      return [];
    }
    const source = new Source(this.folder + path, text);
    this.problems.sources.set(source.file, source);
    const root = path.endsWith('.sql') ? this.dump(source, at) : parseYaml(source, this.problems);
    const part = root && includedFile.read(root, new Reader(source, this.problems));
    return part === undefined ? [] : [...this.all(part.include ?? [], folderOf(path)), part];
  }

  private dump(source: Source, at: Span): Node | undefined {
    if (this.sql !== undefined) return readDump({ source, start: 0, end: source.text.length }, this.problems, this.sql);
    this.report('not-supported', at, 'SQL is read only for callers that hand in a parser of SQL');
    return undefined;
  }

  private report(code: DiagnosticCode, at: Span, message: string): void {
    this.problems.add(code, at, message);
  }
}

/** With its slash; empty for a bare name. */
function folderOf(file: string): string {
  return file.slice(0, file.lastIndexOf('/') + 1);
}

/** `name` as seen from `folder`, normalized; undefined where that leads out of the scenario's folder. */
function insidePath(folder: string, name: string): string | undefined {
  if (/^\/|\\|^[A-Za-z]:/.test(name)) return undefined;
  const parts: string[] = [];
  for (const part of (folder + name).split('/')) {
    if (part === '..' && parts.pop() === undefined) return undefined;
    if (part !== '..' && part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}
