/** `error`: an ErrorResponse in the stream; whether the connection outlives it is its severity's business. */
import { WireError } from '../../values/wire-error.js';
import type { Fault } from './fault.js';

export const error: Fault<'error'> = ({ error: fields }, context) => {
  context.report(`sent ${fields.severity ?? 'ERROR'} ${fields.code}`);
  throw new WireError(fields);
};
