/** What a consumer was expected to do, and did: expectations followed event by event, what it was shown, and reports of both. */
export { Verdict } from './verdict.js';
export type { Finding } from './scenario-verdict.js';
export type { ConsumerEvent } from './follower.js';
