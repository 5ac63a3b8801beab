/** Positions of expectations: an LSN, or a label. */
import type { Position, Scenario } from '../scenario/index.js';
import { formatLsn } from '../values/lsn.js';

/** As the scenario says it. */
export function formatPosition(position: Position): string {
  return typeof position === 'bigint' ? formatLsn(position) : position;
}

/** Undefined for `end`, which each slot has its own of. */
export function positionOf(position: Position, { labels }: Pick<Scenario, 'labels'>): bigint | undefined {
  return typeof position === 'bigint' ? position : labels.get(position);
}

/** `after-first (0/15000A0)` */
export function describePosition(position: Position, scenario: Pick<Scenario, 'labels'>): string {
  const lsn = positionOf(position, scenario);
  return typeof position === 'bigint' || lsn === undefined
    ? formatPosition(position)
    : `${position} (${formatLsn(lsn)})`;
}
