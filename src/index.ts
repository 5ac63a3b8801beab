/** What is common to all uses: errors, and LSNs and times as values. */
export { formatLsn, parseLsn } from './values/lsn.js';
export { formatTimestamp, parseTimestamp } from './values/timestamp.js';
export { WireError, type WireErrorFields } from './values/wire-error.js';
export { DecodeError, EncodeError } from './pgoutput/index.js';
export { ScenarioError } from './scenario/index.js';
