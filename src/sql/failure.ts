/** Ways in which a statement ends without a result. */
import { ValueError } from '../postgres/pg-type.js';
import { WireError, type WireErrorFields } from '../values/wire-error.js';

/**
 * The statement is one that a server may well answer, but this evaluator cannot. The session turns it into 0A000 with the
 * query quoted, and has it recorded.
 */
export class NotEmulated extends Error {
  constructor(
    /** What was not understood, as the end of "… is not emulated": `function xpath(text, xml)`. */
    readonly what: string,
    /** Byte offset in the statement's text. */
    readonly location?: number,
  ) {
    super(`${what} is not emulated`);
    this.name = 'NotEmulated';
  }
}

/** An error at a place in the statement's text. The session works out the position in characters. */
export class SqlError extends Error {
  constructor(
    readonly fields: WireErrorFields,
    /** Byte offset in the statement's text; undefined for none. */
    readonly location?: number,
  ) {
    super(fields.message);
    this.name = 'SqlError';
  }
}

export function sqlError(code: string, message: string, location?: number, more?: Partial<WireErrorFields>): SqlError {
  return new SqlError({ code, message, ...more }, location);
}

/**
 * The WireError for whatever a statement threw; undefined for NotEmulated and for faults of this program.
 * @param text the text that locations are offsets in
 */
export function wireErrorOf(error: unknown, text: string): WireError | undefined {
  if (error instanceof WireError) return error;
  if (error instanceof ValueError) return new WireError({ code: error.sqlState, message: error.message });
  if (error instanceof RangeError) return limitReached(error);
  if (!(error instanceof SqlError)) return undefined;
  const position = characterPosition(text, error.location);
  return new WireError(position === undefined ? error.fields : { ...error.fields, position });
}

/** Limits of the machine that runs this: a server has them as well. */
function limitReached({ message }: RangeError): WireError | undefined {
  if (message.startsWith('Maximum call stack')) {
    return new WireError({ code: '54001', message: 'stack depth limit exceeded' });
  }
  if (message === 'Invalid string length') {
    return new WireError({ code: '54000', message: 'requested length too large' });
  }
  return undefined;
}

/** 1-based position in characters (code points) of a byte offset; undefined for none. */
export function characterPosition(text: string, offset: number | undefined): number | undefined {
  if (offset === undefined || offset < 0) return undefined;
  let bytes = 0;
  let position = 1;
  for (const character of text) {
    if (bytes >= offset) break;
    const code = character.codePointAt(0)!;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_0000 ? 3 : 4;
    position++;
  }
  return position;
}
