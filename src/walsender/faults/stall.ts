/** `stall`: nothing is sent for a while, from here on or from inside a message. */
import type { Fault } from './fault.js';

export const stall: Fault<'stall'> = ({ milliseconds, keepalives, inside }, context) => {
  const { session } = context;
  if (inside === undefined) {
    context.report(`sends nothing${keepalives ? ' but keepalives' : ''} for ${milliseconds} ms`);
    return { until: session.clock.monotonic() + milliseconds, silent: !keepalives };
  }
  context.next(inside.in, (frame) => {
    const { length, message } = frame;
    const sent = Math.min(inside.at, length);
    const rest = frame.takeFrom(sent);
    context.report(
      `sends nothing for ${milliseconds} ms after ${sent} of the ${length} bytes of ${message.kind}`,
      frame.lsn,
    );
    session.output.hold(milliseconds);
    session.output.writer.raw(rest);
    return 'split';
  });
  return 'goOn';
};
