import { WireError, type WireErrorFields } from '../values/wire-error.js';

/** What a refused statement is about, so that the caller can point at the place in its own text. */
export interface StatementSubject {
  readonly kind:
    | 'table'
    | 'column'
    | 'publication'
    | 'type'
    | 'partition'
    | 'savepoint'
    | 'transaction'
    | 'index'
    | 'schema'
    | 'pin';
  readonly name: string;
}

/** A statement, declaration or pin that a real server would refuse, or that contradicts the database's state. */
export class StatementError extends WireError {
  readonly subject: StatementSubject | undefined;

  constructor(fields: WireErrorFields, subject?: StatementSubject) {
    super(fields);
    this.name = 'StatementError';
    this.subject = subject;
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return WireError[Symbol.hasInstance](value) && (value as Error).name === 'StatementError';
  }
}
