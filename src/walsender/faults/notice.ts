/** `notice` and `parameter`: what a server may say at any time, inside a stream too. */
import { errorOrNotice, parameterStatus } from '../../protocol/backend-messages.js';
import { WireError } from '../../values/wire-error.js';
import type { Fault } from './fault.js';

export const notice: Fault<'notice'> = ({ notice: fields }, context) => {
  context.report(`sent ${fields.severity} ${fields.code}`);
  errorOrNotice(context.session.output.writer, new WireError(fields));
  return 'goOn';
};

export const parameter: Fault<'parameter'> = ({ parameters }, context) => {
  context.report(`reported ${parameters.map(({ name, value }) => `${name} = ${value}`).join(', ')}`);
  for (const { name, value } of parameters) parameterStatus(context.session.output.writer, name, value);
  return 'goOn';
};
