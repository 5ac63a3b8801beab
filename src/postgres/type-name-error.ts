import { ValueError } from './pg-type.js';

/** A type name that does not parse (42601), names no type (42704) or has a bad modifier (22023). */
export class TypeNameError extends ValueError {
  constructor(
    sqlState: string,
    message: string,
    /** The name that was not found, and those that could have been: for a "did you mean". */
    readonly unknownName?: string,
    readonly knownNames: readonly string[] = [],
  ) {
    super(sqlState, message);
    this.name = 'TypeNameError';
  }
}
