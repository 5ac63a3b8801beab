/** The server cannot be reached, went away, or speaks otherwise than the protocol says. What it refuses is a DatabaseError. */
export class ConnectionError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ConnectionError';
  }

  /** What a socket or the parser threw. */
  static from(error: unknown): ConnectionError {
    if (error instanceof ConnectionError) return error;
    return new ConnectionError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
