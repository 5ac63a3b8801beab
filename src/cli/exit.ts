/** Ends the program with this status. The message goes to stderr; it is empty when everything has been said. */
export class Exit extends Error {
  constructor(
    /** 1: the input or an expectation is wrong. 2: the command line is. Others are those of a command that was run. */
    readonly status: number,
    message = '',
  ) {
    super(message);
    this.name = 'Exit';
  }
}
