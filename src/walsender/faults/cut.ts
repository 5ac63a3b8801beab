/** `cut`: the connection ends inside a message. */
import { leave } from './disconnect.js';
import type { Fault } from './fault.js';

const how = { close: 'closed', reset: 'reset', 'half-open': 'fell silent', 'black-hole': 'cut the line' } as const;

export const cut: Fault<'cut'> = (step, context) => {
  context.next(step.in, (frame) => {
    const { length, message } = frame;
    const sent = Math.min(step.at, length);
    frame.keep(sent);
    context.report(`${how[step.how ?? 'close']} after ${sent} of the ${length} bytes of ${message.kind}`, frame.lsn);
    const outcome = leave(step.how ?? 'close', context);
    if (typeof outcome === 'object') context.hold(outcome);
    return 'muted';
  });
  return 'goOn';
};
