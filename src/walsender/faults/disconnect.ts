/** `disconnect`: the connection ends, or seems to live on. */
import type { Fault, FaultContext, FaultOf, FaultOutcome } from './fault.js';

type How = Exclude<FaultOf<'disconnect'>['how'], 'terminate' | 'copy_done'>;

/** How long a reset waits for a peer that does not read: what was sent before it must have left. */
const patience = 10_000;

const did = {
  reset: 'reset the connection',
  close: 'closed the connection',
  terminate: 'terminated the walsender',
  'half-open': 'fell silent for ever',
  'black-hole': 'cut the line',
  copy_done: 'ended the stream with CopyDone',
} as const;

export const disconnect: Fault<'disconnect'> = ({ how }, context) => {
  context.report(did[how]);
  if (how === 'terminate') context.session.terminate();
  else if (how === 'copy_done') context.stream.endCopy();
  else return leave(how, context);
  return 'over';
};

/** Ends the connection after the last byte that was written. */
export function leave(how: How, { session, stream }: FaultContext): FaultOutcome {
  switch (how) {
    case 'close':
      session.end('fault: close', 'end');
      return 'over';
    case 'reset':
      session.output.flush();
      return {
        until: session.clock.monotonic() + patience,
        silent: true,
        isMet: () => session.output.taken,
        onEnd: () => {
          session.end('fault: reset', 'reset');
          return 'over';
        },
      };
    case 'half-open':
    case 'black-hole':
      if (how === 'black-hole') session.unplug();
      // The walsender gives up when its time is over, and nobody hears of it.
      return {
        until: stream.timesOutAt,
        silent: true,
        onEnd: () => {
          session.end('wal_sender_timeout', 'keep');
          return 'over';
        },
      };
  }
}
