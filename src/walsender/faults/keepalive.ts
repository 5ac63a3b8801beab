/** `keepalive`: more of them than a server sends, with other positions, or none at all. */
import { formatLsn } from '../../values/lsn.js';
import type { Fault, FaultContext, FaultOf, FaultOutcome } from './fault.js';
import { resolvePosition } from './position.js';

export const keepalives: Fault<'keepalives'> = ({ sent }, context) => {
  context.report(`keepalives ${sent ? 'on' : 'off'}`);
  context.stream.keepalives = sent;
  return 'goOn';
};

export const keepalive: Fault<'keepalive'> = (step, context) => {
  const { stream, session } = context;
  const { count = 1, everyMilliseconds, replyRequested, time } = step;
  const walEndOf = walEnds(step, context);
  // One that a server might send as well is no fault.
  if (step.walEnd !== undefined || time !== undefined || count > 1) {
    context.report(`sends ${count} keepalive${count === 1 ? '' : 's'}, the first with ${formatLsn(walEndOf(1))}`);
  }
  let sent = 0;
  const send = (): void => {
    sent++;
    stream.keepalive(walEndOf(sent), replyRequested, time);
  };
  if (everyMilliseconds === undefined) {
    // As many as the connection takes; the others once it takes more.
    const flood = (): boolean => {
      while (sent < count && session.output.open) send();
      return sent === count;
    };
    return { until: Infinity, silent: false, isMet: flood };
  }
  let at = session.clock.monotonic();
  const next = (): FaultOutcome => {
    send();
    at += everyMilliseconds;
    return sent === count ? 'goOn' : { until: at, silent: false, onEnd: next };
  };
  return next();
};

/** The nth one's position, from 1. */
function walEnds({ walEnd }: FaultOf<'keepalive'>, context: FaultContext): (n: number) => bigint {
  const { position } = context.stream;
  if (walEnd === undefined) return () => position;
  if (typeof walEnd !== 'object') {
    const fixed = resolvePosition(walEnd, context);
    return () => fixed;
  }
  return (n) => {
    const lsn = position + BigInt(n) * walEnd.bytes;
    return lsn > 0n ? lsn : 0n;
  };
}
