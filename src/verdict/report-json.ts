import { formatLsn } from '../values/lsn.js';
import { isMet } from './report-table.js';
import type { Finding } from './scenario-verdict.js';

/** @param startedAt - what `at` counts from, as Verdict's: milliseconds */
export function findingToJson(finding: Finding, startedAt: number | undefined): unknown {
  const { source, expected, status, seen, slot, lsn, at } = finding;
  return {
    ...source,
    expected,
    met: isMet(finding),
    status,
    seen,
    slot,
    lsn: lsn === null ? null : formatLsn(lsn),
    at: at === null || startedAt === undefined ? null : Math.round(at - startedAt),
  };
}
