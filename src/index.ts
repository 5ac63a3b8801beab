/** The mock, and what is common to all uses: errors, and LSNs and times as values. */
export { formatLsn, parseLsn } from './values/lsn.js';
export { formatTimestamp, parseTimestamp } from './values/timestamp.js';
export { WireError, type WireErrorFields } from './values/wire-error.js';
export { DecodeError, EncodeError, unchanged, type Message } from './pgoutput/index.js';
export { ScenarioError } from './scenario/index.js';
export { StatementError } from './database/index.js';
export * from './mock/index.js';
export { CannotServe, type Duration, type LiveEvent, type LiveEventOf, type WaitOptions } from './live/index.js';
