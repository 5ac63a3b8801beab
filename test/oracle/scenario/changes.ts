/** Changes of one transaction → steps, subtransactions as savepoints. */
import type { AbortChange, Change } from '../history/history.js';
import { ddlSteps } from './ddl.js';
import { qualified } from './names.js';
import { rowStep } from './rows.js';
import { lsn, tagged, text, time, type YamlMap } from './yaml.js';

/**
 * Writes a transaction's changes in order. WAL names the subtransaction of each change but not when savepoints were
 * made and released; one that has nothing more to come counts as released when another's change follows.
 */
export class ChangeWriter {
  /** Open subtransactions, outermost first. */
  readonly #open: number[] = [];
  /** Index of the last change of each subtransaction. */
  readonly #last = new Map<number, number>();
  readonly #indexes = new Map<Change, number>();

  /** @param changes - all that will be written */
  constructor(
    readonly topXid: number,
    changes: readonly Change[],
  ) {
    changes.forEach((change, index) => {
      this.#indexes.set(change, index);
      this.#last.set(change.xid, index);
    });
  }

  write(change: Change): YamlMap[] {
    if (change.kind === 'abort') return this.#abort(change);
    return [...this.#enter(change), ...changeSteps(change)];
  }

  #enter(change: Change): YamlMap[] {
    const steps: YamlMap[] = [];
    const { xid } = change;
    const known = xid === this.topXid || this.#open.includes(xid);
    const index = this.#indexes.get(change)!;
    while (this.#open.length > 0) {
      const innermost = this.#open.at(-1)!;
      if (innermost === xid || (!known && this.#last.get(innermost)! > index)) break;
      steps.push({ release: savepoint(innermost) });
      this.#open.pop();
    }
    if (!known) {
      steps.push({ savepoint: savepoint(xid), xid });
      this.#open.push(xid);
    }
    return steps;
  }

  #abort({ xid, endLsn, time: at }: AbortChange): YamlMap[] {
    const depth = this.#open.indexOf(xid);
    if (depth < 0) return [];
    const released = this.#open.splice(depth).slice(1).reverse();
    return [
      ...released.map((inner) => ({ release: savepoint(inner) })),
      { rollback_to: savepoint(xid), abort_lsn: lsn(endLsn), abort_time: time(at) },
      { release: savepoint(xid) },
    ];
  }
}

function savepoint(xid: number): string {
  return `s${xid}`;
}

function changeSteps(change: Exclude<Change, AbortChange>): YamlMap[] {
  const at = lsn(change.lsn);
  switch (change.kind) {
    case 'truncate':
      return [
        {
          truncate: change.tables.map(qualified),
          only: true,
          cascade: change.cascade || undefined,
          restart_identity: change.restart || undefined,
          lsn: at,
        },
      ];
    case 'message':
      return [
        {
          message: { prefix: text(change.prefix), content: tagged('!bytes', change.content.toString('hex')) },
          lsn: lsn(change.endLsn),
        },
      ];
    case 'ddl':
      return ddlSteps(change.before, change.after).map((step) => ({ ...step, lsn: at }));
    case 'touch':
      return change.tables.map((table) => ({ alter: qualified(table), rewrite: true, lsn: at }));
    default:
      return [rowStep(change)];
  }
}
