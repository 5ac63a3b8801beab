/** What a correct consumer does. */
import { byKind, exclusive, variants, type VariantOf } from '../alternative.js';
import { list, mapOf, object, oneOrMany, optional, required } from '../object.js';
import { boolean, choice, count, duration, name, scalar, text } from '../scalars.js';
import { position, sqlState } from './faults.js';
import { queryPattern } from './answers.js';
import { alternatives } from '../suggestion.js';

const within = optional(duration, 'Within this.', '10s');
const slot = optional(name, 'For this slot; for every slot used where left out.', 'app_slot');

const range = object(
  {
    at_least: optional(position, 'A label or an LSN.', 'after-first'),
    at_most: optional(position, 'A label or an LSN.', 'after-first'),
  },
  { expected: '{ at_most: LABEL }' },
);

const misdeeds = [
  ...(['confirmed_unsent', 'off_by_one', 'confirmed_mid_transaction', 'lsn_went_back', 'copy_fail'] as const),
] as const;

const neverFields = {
  feedback_gap: optional(duration, 'Longest time without a status update.', '10s'),
  flushed: optional(position, 'It never confirms this position, or one beyond: a label or an LSN.', 'after-first'),
  error: optional(sqlState, 'It never gets this error.', '08P01'),
};

const spacing = object(
  {
    at_least: optional(duration, 'No attempt sooner after the one before.', '500ms'),
    at_most: optional(duration, 'No attempt later after the end of the one before.', '30s'),
  },
  { expected: '{ at_least: DURATION, at_most: DURATION }' },
);

const exitStatus = scalar<'success' | 'failure' | number>({
  expected: '`success`, `failure` or an exit status',
  parse: (written) => {
    if (written === 'success' || written === 'failure') return written;
    return /^\d{1,3}$/.test(written) && Number(written) < 256 ? Number(written) : undefined;
  },
  schema: { anyOf: [{ enum: ['success', 'failure'] }, { type: 'integer', minimum: 0, maximum: 255 }] },
});

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
  attempts: {
    attempts: required(
      object(
        {
          min: optional(count, 'At least so many.', 2),
          max: optional(count, 'At most so many.', 10),
          spacing: optional(spacing, 'How far they are apart.', { at_least: '500ms' }),
        },
        { expected: '{ min: N, max: N, spacing: { at_least: DURATION } }' },
      ),
      'How often the consumer tries: replication connections, and each further START_REPLICATION on one of them, accepted or not.',
      { max: 10, spacing: { at_least: '500ms' } },
    ),
  },
  startup: {
    startup: required(
      mapOf(text, 'a map of parameters'),
      'Parameters in the startup packet of replication connections.',
      {
        DateStyle: 'ISO',
        application_name: 'orders',
      },
    ),
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
  shutdown: {
    shutdown: required(
      choice('clean'),
      'The consumer leaves its last stream with CopyDone, and after a status update that came after the last message.',
      'clean',
    ),
    slot,
  },
  slot_dropped: {
    slot_dropped: required(boolean, 'At the end the consumer has dropped its slot, or has left it behind.', true),
    slot,
  },
  never: {
    never: required(
      byKind({
        expected: `${alternatives(misdeeds)}, { feedback_gap: DURATION }, { flushed: LABEL } or { error: SQLSTATE }`,
        scalar: choice(...misdeeds),
        map: object(neverFields, {
          expected: '{ feedback_gap: DURATION }, { flushed: LABEL } or { error: SQLSTATE }',
          check: (value, reader) => {
            exclusive(value, Object.keys(neverFields), reader);
            if (Object.keys(value.keys).length === 0) {
              reader.report('missing-key', value.at, `\`never\` needs ${alternatives(Object.keys(neverFields))}`);
            }
          },
        }),
      }),
      'What must not happen.',
      'confirmed_unsent',
      { feedback_gap: '10s' },
      { flushed: 'after-first' },
    ),
    slot,
  },
  query: {
    query: required(
      object(
        {
          matches: required(queryPattern, 'A /pattern/, or a part of the text.', 'pg_publication'),
          times: optional(count, 'Exactly so often; at least once where left out.', 1),
          at_most: optional(count, 'No more often than this; 0: never.', 3),
        },
        {
          expected: '{ matches: PATTERN, times: N }',
          check: (value, reader) => exclusive(value, ['times', 'at_most'], reader),
        },
      ),
      'The consumer asks this.',
      { matches: 'pg_publication', times: 1 },
    ),
  },
  output: {
    output: required(
      object(
        { matches: required(queryPattern, 'A /pattern/, or a part of the text.', '42704') },
        { expected: '{ matches: PATTERN }' },
      ),
      'Under `run`: the consumer command prints this, on stdout or stderr.',
      { matches: '42704' },
    ),
  },
  exit: {
    exit: required(exitStatus, 'Under `run`: the consumer command ends by itself, with this status.', 'failure'),
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
