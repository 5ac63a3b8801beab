/** What a request is refused with: a status and a JSON body that has `error`. */
export class HttpError extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** Beside `error` in the body. */
    readonly details: Readonly<Record<string, unknown>> = {},
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = 'HttpError';
  }
}
