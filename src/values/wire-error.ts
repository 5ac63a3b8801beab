/** What becomes an ErrorResponse or NoticeResponse: severity, SQLSTATE and texts as the emulated server words them. */
export interface WireErrorFields {
  readonly severity?: 'ERROR' | 'FATAL' | 'PANIC' | 'WARNING' | 'NOTICE' | 'INFO' | 'LOG' | 'DEBUG';
  /** SQLSTATE, five characters. */
  readonly code: string;
  readonly message: string;
  readonly detail?: string;
  readonly hint?: string;
  /** 1-based character position in the query (field P). */
  readonly position?: number;
  /** Field W. */
  readonly where?: string;
}

const brand = Symbol.for('fake-walsender.WireError');

/** An error or notice that a client gets, as ErrorResponse or NoticeResponse have it (the manual's "Error and Notice Message Fields"). */
export class WireError extends Error {
  readonly [brand] = true;
  readonly severity: NonNullable<WireErrorFields['severity']>;
  readonly code: string;
  readonly detail: string | undefined;
  readonly hint: string | undefined;
  readonly position: number | undefined;
  readonly where: string | undefined;

  constructor(fields: WireErrorFields) {
    super(fields.message);
    this.name = 'WireError';
    this.severity = fields.severity ?? 'ERROR';
    this.code = fields.code;
    this.detail = fields.detail;
    this.hint = fields.hint;
    this.position = fields.position;
    this.where = fields.where;
  }

  /** True for instances of the other module format's copy of this class too. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && brand in value;
  }
}
