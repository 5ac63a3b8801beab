import type { Position } from '../../scenario/steps.js';
import { WireError } from '../../values/wire-error.js';
import type { FaultContext } from './fault.js';

/** @throws WireError for a label that no walsender has come to yet */
export function resolvePosition(position: Position, { database }: FaultContext): bigint {
  const lsn = typeof position === 'bigint' ? position : database.steps.labels.get(position);
  if (lsn !== undefined) return lsn;
  throw new WireError({ code: '0A000', message: `no walsender has come to the label "${String(position)}" yet` });
}
