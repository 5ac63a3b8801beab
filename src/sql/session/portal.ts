/** A statement being run: its rows in the formats that the client asked for, as many at a time as it wants. */
import { WireError } from '../../values/wire-error.js';
import type { Value } from '../expression/expression.js';
import type { StatementContext } from '../context.js';
import type { Field, FieldValue, SqlOutput } from '../engine.js';
import type { QueryColumn } from '../query/query.js';
import { textOutput } from '../types/output.js';
import type { ParameterValues, Plan, RowsPlan } from './plan.js';
import { Waiting, type SessionState } from './session-state.js';

export function fieldsOf(
  columns: readonly QueryColumn[],
  context: StatementContext,
  formats: readonly number[],
): Field[] {
  return columns.map(({ name, type, typmod, tableOid, attnum }, i) => {
    const facts = context.types.facts(type);
    const base = context.types.facts(context.types.baseOf(type));
    const format = formats.length === 0 ? 0 : formats.length === 1 ? formats[0]! : formats[i]!;
    return {
      name,
      tableOid,
      attnum,
      typeOid: base.oid,
      typeLength: base.length,
      typeModifier: facts.kind === 'd' ? facts.baseModifier : typmod,
      format: format === 1 ? 1 : 0,
    };
  });
}

type Printer = (value: string) => FieldValue;

function printers(columns: readonly QueryColumn[], context: StatementContext, formats: readonly number[]): Printer[] {
  return fieldsOf(columns, context, formats).map(({ format }, i) => {
    const { type } = columns[i]!;
    const settings = context.session.outputSettings;
    if (format === 1) return (value) => context.types.send(type, value, settings);
    return textOutput(context, type) ?? ((value) => value);
  });
}

export class Portal {
  private rows: Iterator<readonly Value[]> | undefined;
  private isDone = false;

  constructor(
    readonly name: string,
    readonly plan: Plan,
    private readonly parameters: ParameterValues,
    /** As in Bind: none (all text), one for all, or one each. */
    readonly formats: readonly number[],
    readonly text: string,
    readonly createdAt: bigint,
  ) {}

  /** Up to `maxRows` rows (0: all), then `complete` or `suspended`. */
  *run(session: SessionState, context: StatementContext, maxRows: number): Generator<SqlOutput> {
    if (this.plan.kind === 'action') {
      if (this.isDone) throw cannotBeRun(this.name);
      this.isDone = true;
      yield* this.plan.run(this.parameters);
    } else yield* this.fetch(this.plan, session, context, maxRows);
  }

  private *fetch(
    plan: RowsPlan,
    session: SessionState,
    context: StatementContext,
    maxRows: number,
  ): Generator<SqlOutput> {
    const print = printers(plan.columns, context, this.formats);
    let count = 0;
    while (!this.isDone && (maxRows === 0 || count < maxRows)) {
      this.rows ??= plan.rows(this.parameters)[Symbol.iterator]();
      const next = this.next(session);
      if (next instanceof Waiting) {
        yield { kind: 'wait', wait: next.wait };
        continue;
      }
      if (next.done === true) {
        this.isDone = true;
        break;
      }
      count++;
      yield { kind: 'row', values: next.value.map((value, i) => (value === null ? null : print[i]!(value))) };
    }
    // A full fetch leaves open whether there are more rows.
    if (this.isDone || maxRows === 0) yield { kind: 'complete', tag: plan.tag(count) };
    else yield { kind: 'suspended' };
  }

  /** The next row; or what to wait for, after which the statement starts anew. */
  private next(session: SessionState): IteratorResult<readonly Value[]> | Waiting {
    try {
      return this.rows!.next();
    } catch (error) {
      if (!(error instanceof Waiting)) throw error;
      this.rows = undefined;
      if (error.wait.kind === 'sleep') session.slept.add('pg_sleep');
      return error;
    }
  }

  /** The rows that are left, unformatted, up to `count`: FETCH. */
  *take(count: number): Generator<readonly Value[]> {
    if (this.plan.kind !== 'rows') return;
    this.rows ??= this.plan.rows(this.parameters)[Symbol.iterator]();
    for (let i = 0; i < count; i++) {
      const next = this.rows.next();
      if (next.done === true) return;
      yield next.value;
    }
  }

  close(): void {
    this.isDone = true;
    this.rows?.return?.();
  }
}

function cannotBeRun(name: string): WireError {
  return new WireError({ code: '55000', message: `portal "${name}" cannot be run` });
}
