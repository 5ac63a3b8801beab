/** `skip`: a message that a server would send is not sent. */
import type { Fault } from './fault.js';

export const skip: Fault<'skip'> = ({ message: kind }, context) => {
  context.next(kind, (frame) => {
    context.report(`left out the ${frame.length} bytes of ${frame.message.kind}`, frame.lsn);
    frame.keep(0);
    return 'dropped';
  });
  return 'goOn';
};
