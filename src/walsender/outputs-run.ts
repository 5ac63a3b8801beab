/** Carries a statement's outputs to the client as far as it reads them, and waits where the statement waits. */
import type { Writer } from '../bytes/writer.js';
import {
  commandComplete,
  copyData,
  copyDone,
  copyOutResponse,
  dataRow,
  emptyQueryResponse,
  errorOrNotice,
  parameterStatus,
  portalSuspended,
  rowDescription,
} from '../protocol/backend-messages.js';
import type { SqlOutput, SqlWait } from '../sql/engine.js';
import { WireError } from '../values/wire-error.js';
import type { SessionInside } from './inside.js';

/** What a session does that takes more than one turn. */
export interface Task {
  /** Goes on; true once it is done. @throws WireError */
  run(): boolean;
  /** When `run` is due, in monotonic milliseconds, whatever else happens. */
  readonly dueAt: number | null;
  /** The next `run` throws `error`, unless the task swallows it. */
  cancel(error: WireError): void;
  /** The connection is over: lets go of everything. */
  release(): void;
}

export class OutputsRun implements Task {
  readonly #outputs: Iterator<SqlOutput, unknown, undefined>;
  #cancelled: WireError | undefined;
  #dueAt: number | null = null;
  #lockTimedOut = false;
  #stopWaiting: (() => void) | undefined;

  /** @param reportLater takes changed settings that are reported before ReadyForQuery (14 and later); absent: at once */
  constructor(
    private readonly session: SessionInside,
    outputs: Iterable<SqlOutput>,
    private readonly reportLater?: (name: string, value: string) => void,
  ) {
    this.#outputs = outputs[Symbol.iterator]() as Iterator<SqlOutput, unknown, undefined>;
  }

  get dueAt(): number | null {
    return this.#dueAt;
  }

  run(): boolean {
    const { output } = this.session;
    while (output.open) {
      if (this.#isWaiting) return false;
      const result = this.#next();
      if (result.done === true) return true;
      this.#write(result.value);
    }
    return false;
  }

  cancel(error: WireError): void {
    this.#cancelled = error;
    this.#endWait();
  }

  release(): void {
    this.#endWait();
    this.#outputs.return?.();
  }

  #next(): IteratorResult<SqlOutput, unknown> {
    const error = this.#cancelled;
    if (!error) return this.#outputs.next();
    this.#cancelled = undefined;
    if (!this.#outputs.throw) throw error;
    return this.#outputs.throw(error);
  }

  get #isWaiting(): boolean {
    if (this.#dueAt !== null && this.session.clock.monotonic() >= this.#dueAt) {
      if (this.#lockTimedOut)
        this.#cancelled = new WireError({ code: '55P03', message: 'canceling statement due to lock timeout' });
      this.#endWait();
    }
    return this.#dueAt !== null || this.#stopWaiting !== undefined;
  }

  #wait(wait: SqlWait): void {
    const now = this.session.clock.monotonic();
    if (wait.kind === 'sleep') {
      this.#dueAt = now + Number(wait.microseconds) / 1000;
      return;
    }
    this.#lockTimedOut = wait.timeout > 0;
    this.#dueAt = wait.timeout > 0 ? now + wait.timeout : null;
    this.#stopWaiting = wait.whenFree(() => {
      this.#endWait();
      this.session.turn();
    });
  }

  #endWait(): void {
    this.#stopWaiting?.();
    this.#stopWaiting = undefined;
    this.#dueAt = null;
    this.#lockTimedOut = false;
  }

  #write(output: SqlOutput): void {
    if (output.kind === 'wait') this.#wait(output.wait);
    else if (output.kind === 'parameter' && this.reportLater) this.reportLater(output.name, output.value);
    else writeOutput(this.session.output.writer, output);
  }
}

export function writeOutput(writer: Writer, output: Exclude<SqlOutput, { readonly kind: 'wait' }>): void {
  switch (output.kind) {
    case 'rowDescription':
      return rowDescription(writer, output.fields);
    case 'row':
      return dataRow(writer, output.values);
    case 'copyOut':
      return copyOutResponse(writer, output.format, output.columns);
    case 'copyData':
      return copyData(writer, output.data);
    case 'copyDone':
      return copyDone(writer);
    case 'complete':
      return commandComplete(writer, output.tag);
    case 'empty':
      return emptyQueryResponse(writer);
    case 'suspended':
      return portalSuspended(writer);
    case 'notice':
      return errorOrNotice(writer, output.notice);
    case 'parameter':
      return parameterStatus(writer, output.name, output.value);
  }
}
