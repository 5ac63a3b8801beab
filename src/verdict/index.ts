/** What a consumer was expected to do, and did: expectations followed event by event, what it was shown, and reports of both. */
export { Verdict } from './verdict.js';
export type { Finding } from './scenario-verdict.js';
export type { OwnerEvent } from './follower.js';
export { Coverage, formatCoverage, formatPercent, type CoverageReport } from './coverage.js';
export { annotation, githubAnnotation } from './report-annotations.js';
export { findingToJson } from './report-json.js';
export { junitXml, type JunitSuite } from './report-junit.js';
export { formatFindings, formatSource, isMet, unmetLine } from './report-table.js';
