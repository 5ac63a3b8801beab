/** A `{{…}}` that names nothing or cannot be evaluated. */
export class TemplateError extends Error {
  constructor(
    message: string,
    readonly hint?: string,
  ) {
    super(message);
    this.name = 'TemplateError';
  }
}
