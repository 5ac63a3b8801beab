/** What a correct consumer does. */
import { byKind, variants, type VariantOf } from '../alternative.js';
import { list, mapOf, object, oneOrMany, optional, required } from '../object.js';
import { choice, count, duration, name, text } from '../scalars.js';
import { position } from './faults.js';
import { queryPattern } from './answers.js';

const within = optional(duration, 'Within this.', '10s');
const slot = optional(name, 'For this slot; for every slot used where left out.', 'app_slot');

const range = object(
  {
    at_least: optional(position, 'A label or an LSN.', 'after-first'),
    at_most: optional(position, 'A label or an LSN.', 'after-first'),
  },
  { expected: '{ at_most: LABEL }' },
);

const expectationVariants = {
  flushed: {
    flushed: required(position, 'The consumer confirms this position: `end`, a label or an LSN.', 'end'),
    within: optional(duration, 'Within this, from when that position was sent.', '10s'),
    slot,
  },
  connections: {
    connections: required(
      object(
        { min: optional(count, 'At least so many.', 2), max: optional(count, 'At most so many.', 4) },
        { expected: '{ min: N, max: N }' },
      ),
      'How many START_REPLICATIONs are accepted.',
      { min: 2, max: 4 },
    ),
    slot,
  },
  reconnect: {
    reconnect: required(
      object(
        { within, start_lsn: optional(range, 'Where it asks to start.', { at_most: 'after-first' }) },
        { expected: '{ within: DURATION, start_lsn: { at_most: LABEL } }' },
      ),
      'The consumer comes back after it lost its connection.',
      { within: '10s', start_lsn: { at_most: 'after-first' } },
    ),
    slot,
  },
  start_replication: {
    start_replication: required(
      mapOf(oneOrMany(text, 'text'), 'a map of options'),
      'The options of START_REPLICATION.',
      { proto_version: '2', publication_names: ['app_pub'] },
    ),
    slot,
  },
  replies_to_keepalive: {
    replies_to_keepalive: required(
      object({ within }, { expected: '{ within: DURATION }' }),
      'The consumer answers a keepalive that asks for a reply.',
      { within: '5s' },
    ),
    slot,
  },
  never: {
    never: required(
      byKind({
        expected:
          '`confirmed_unsent`, `off_by_one`, `confirmed_mid_transaction`, `lsn_went_back` or { feedback_gap: DURATION }',
        scalar: choice('confirmed_unsent', 'off_by_one', 'confirmed_mid_transaction', 'lsn_went_back'),
        map: object(
          { feedback_gap: required(duration, 'Longest time without a status update.', '10s') },
          { expected: '{ feedback_gap: DURATION }' },
        ),
      }),
      'What must not happen.',
      'confirmed_unsent',
      { feedback_gap: '10s' },
    ),
    slot,
  },
  query: {
    query: required(
      object(
        {
          matches: required(queryPattern, 'A /pattern/, or a part of the text.', 'pg_publication'),
          times: optional(count, 'Exactly so often; at least once where left out.', 1),
        },
        { expected: '{ matches: PATTERN, times: N }' },
      ),
      'The consumer asks this.',
      { matches: 'pg_publication', times: 1 },
    ),
  },
  check: {
    check: required(
      object(
        {
          command: required(text, 'A shell command; exit status 0 is met.', 'node check.js'),
          within,
        },
        { expected: '{ command: …, within: DURATION }' },
      ),
      'A command that looks at what the consumer did. $FAKE_WALSENDER_ROWS names a JSON file with the tables that a correct consumer ends with.',
      { command: 'node check.js', within: '10s' },
    ),
  },
} as const;

export type Expectation = VariantOf<typeof expectationVariants>;

export const expectations = list(
  variants({ expected: 'an expectation such as `flushed: end`', noun: 'expectation' }, expectationVariants),
  'a list of expectations',
);
