/** `consumer`: for whoever runs the consumer. */
import type { Fault } from './fault.js';

export const consumer: Fault<'consumer'> = ({ action }, { session, slot, stream, lsn }) => {
  session.observe({ kind: 'consumer', slot: slot.name, action, lsn });
  if (session.cluster.config.actsOnConsumer !== true) return 'goOn';
  // What the consumer gets before it is gone must not depend on who is faster.
  return { until: Infinity, silent: false, isMet: () => stream.leaving };
};
