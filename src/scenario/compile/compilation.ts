/** What compiling a scenario shares: problems, types, labels, generated values. */
import { keepMap } from '../../database/index.js';
import type { Catalog, Table } from '../../timeline/catalog.js';
import { formatLsn } from '../../values/lsn.js';
import { Problems, type DiagnosticCode, type DiagnosticExtras } from '../diagnostic.js';
import { FakerValues } from '../faker.js';
import { formatName, type QualifiedName } from '../format/names.js';
import type { ExecuteOptions } from './execution.js';
import { ScenarioError } from '../scenario.js';
import type { Read } from '../object.js';
import type { ServerSettings } from '../settings.js';
import type { SqlSupport } from '../sql-support.js';
import type { Located, Span } from '../source.js';
import { didYouMean, quote } from '../suggestion.js';
import type { Position, ScenarioStep } from '../steps.js';
import type { TemplateScope } from '../template.js';
import { UserTypes } from './user-types.js';

/** Microseconds between 1970 and 2000. */
const postgresEpoch = 946_684_800_000_000n;

export class Compilation {
  readonly types: UserTypes;
  readonly faker: FakerValues;
  /** Steps of the stream by where they stand: in a `repeat` they are met many times. */
  readonly steps = new Map<Span, ScenarioStep>();
  /** LSNs of the labels met so far. */
  readonly labels = new Map<string, bigint>();
  /** Columns whose declarations could not be used, by the name of the table. */
  readonly lostColumns = new Map<string, readonly string[]>();
  /** Expressions of generated columns, by `schema.table.column` as declared: what was renamed since is not found. */
  readonly generatedAs = new Map<string, string>();
  /** Where tables were declared, by OID. */
  readonly declaredAt = new Map<number, Span>();
  /** There is a `repeat` whose rounds are played when the timeline is read. */
  hasRounds = false;
  /** Compiling is over: what is found now is found by a reader of the timeline, and thrown. */
  sealed = false;

  constructor(
    readonly server: ServerSettings,
    seed: number,
    public problems: Problems,
    public options: ExecuteOptions,
    /** Undefined where the caller has none: SQL is refused then. */
    readonly sql?: SqlSupport,
  ) {
    this.types = new UserTypes(server.major, this);
    const now = new Date(Number((server.clock + postgresEpoch) / 1000n));
    this.faker = new FakerValues(seed, now);
  }

  /** Compiles more, until it is sealed again. */
  resume(problems: Problems, options: ExecuteOptions): void {
    this.problems = problems;
    this.options = options;
    this.sealed = false;
  }

  /** @returns how to make it again what it is now, but for its problems */
  mark(): () => void {
    const parts = [keepMap(this.labels), this.types.mark()];
    return () => {
      for (const comeBack of parts) comeBack();
    };
  }

  get major(): number {
    return this.server.major;
  }

  report(code: DiagnosticCode, at: Span, message: string, extras?: DiagnosticExtras): undefined {
    if (!this.sealed) {
      this.problems.add(code, at, message, extras);
      return;
    }
    const late = new Problems();
    late.add(code, at, message, extras);
    throw new ScenarioError(late.list, late.sources);
  }

  /** How a `repeat` is carried out. In a mere check, of one that is not tracked the first rounds and the last one. */
  rounds(step: { readonly repeat: Located<number>; readonly track: Located<boolean> | undefined }): {
    readonly rounds: number;
    readonly indexOf: (round: number) => number;
    readonly track: boolean;
  } {
    const count = step.repeat.value;
    const track = this.options.keepRows === true || step.track?.value === true;
    this.hasRounds ||= count > 1 && !track;
    const rounds = track ? count : Math.min(count, this.options.roundLimit ?? Infinity);
    return { rounds, indexOf: (round) => (round === rounds - 1 ? count - 1 : round), track };
  }

  /** The variables of a place inside `repeat`s. @param xid - reads the transaction's */
  scope(index: number | undefined, round: number, xid?: () => number): TemplateScope {
    return { index, round, xid, label: this.labelText, faker: this.faker };
  }

  /** By where a table is named, the last time. */
  private readonly found = new WeakMap<Located<QualifiedName>, { readonly catalog: Catalog; readonly table: Table }>();

  private readonly labelText = (name: string): string | undefined => {
    const lsn = this.labels.get(name);
    return lsn === undefined ? undefined : formatLsn(lsn, this.major);
  };

  /** Gives a position a name. @param lsn - where it is; undefined inside a loop, which is one place many times */
  label(step: Read, name: string, index: number | undefined, lsn: bigint | undefined): void {
    if (index !== undefined || lsn === undefined) {
      this.report('not-supported', step.at, 'a label names one place: it cannot stand inside a `repeat`');
    } else if (this.labels.has(name)) {
      this.report('duplicate-name', step.at, `the label ${quote(name)} is given twice`);
    } else {
      this.labels.set(name, lsn);
    }
  }

  /** A position whose label, if it is one, stands where `where` says. Undefined when it does not (reported). */
  position({ value, at }: Located<Position>, where: string): Position | undefined {
    if (typeof value === 'bigint' || this.labels.has(value) || this.problems.explains(`label: ${value}`)) return value;
    const hint = didYouMean(value, this.labels.keys());
    return this.report('unknown-name', at, `there is no label ${quote(value)} ${where}`, { hint });
  }

  /** Reports a table that is not there, unless its declaration was refused. */
  table(name: Located<QualifiedName>, catalog: Catalog): Table | undefined {
    const found = this.found.get(name);
    if (found?.catalog === catalog) return found.table;
    const tables = tablesByName(catalog);
    const shown = formatName(name.value);
    const table = tables.get(shown);
    if (table !== undefined) {
      this.found.set(name, { catalog, table });
      return table;
    }
    if (!this.problems.explains(name.value.name)) {
      this.report('unknown-table', name.at, `there is no table ${quote(shown)}`, { hint: tableHint(shown, tables) });
    }
    return undefined;
  }
}

function tableHint(shown: string, tables: ReadonlyMap<string, Table>): string {
  const hint = didYouMean(shown, tables.keys());
  if (hint !== undefined) return hint;
  if (tables.size === 0) return 'the scenario declares no tables';
  return `the tables are ${[...tables.keys()].slice(0, 10).map(quote).join(', ')}`;
}

const byName = new WeakMap<Catalog, Map<string, Table>>();

function tablesByName(catalog: Catalog): ReadonlyMap<string, Table> {
  let tables = byName.get(catalog);
  if (tables === undefined) {
    tables = new Map([...catalog.tables.values()].map((table) => [formatName(table), table]));
    byName.set(catalog, tables);
  }
  return tables;
}
