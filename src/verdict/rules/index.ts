/** The rule of each kind of expectation. */
import type { Expectation } from '../../scenario/index.js';
import type { ExpectationOf, Rule } from '../follower.js';
import { attempts } from './attempts.js';
import { check } from './check.js';
import { connections } from './connections.js';
import { exit } from './exit.js';
import { feedbackGap } from './feedback-gap.js';
import { flushed } from './flushed.js';
import { repliesToKeepalive } from './keepalive-replies.js';
import { neverError } from './never-error.js';
import { neverFlushed } from './never-flushed.js';
import { never } from './never.js';
import { output } from './output.js';
import { query } from './query.js';
import { reconnect } from './reconnect.js';
import { shutdown } from './shutdown.js';
import { slotDropped } from './slot-dropped.js';
import { startReplication } from './start-replication.js';
import { startup } from './startup.js';

const rules: { readonly [K in Expectation['kind']]: Rule<ExpectationOf<K>> } = {
  flushed,
  connections,
  reconnect,
  attempts,
  startup,
  startReplication,
  repliesToKeepalive,
  shutdown,
  slotDropped,
  never,
  feedbackGap,
  neverFlushed,
  neverError,
  query,
  check,
  output,
  exit,
};

export function ruleOf(expectation: Expectation): Rule {
  return rules[expectation.kind];
}
