/** The input or an expectation is wrong: 1. The command line is: 2. */
export type Failure = 1 | 2;

/** Ends the program with this status. The message goes to stderr; it is empty when everything has been said. */
export class Exit extends Error {
  constructor(
    readonly status: Failure,
    message = '',
  ) {
    super(message);
    this.name = 'Exit';
  }
}
