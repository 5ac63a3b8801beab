/** `consumer`: for whoever runs the consumer. */
import type { Fault } from './fault.js';

export const consumer: Fault<'consumer'> = ({ action }, { session, slot, lsn }) => {
  session.observe({ kind: 'consumer', slot: slot.name, action, lsn });
  return 'goOn';
};
