/** The stream: transactions and what else happens, in order. */
import { exclusive, named, variants, type NamedShape, type VariantOf } from '../alternative.js';
import { exactlyOneOf, someOf } from '../json-schema.js';
import { list, object, oneOrMany, optional, required } from '../object.js';
import { boolean, count, lsn, name, time, xid } from '../scalars.js';
import type { Reader, Shape } from '../shape.js';
import { abortPins, changes, changeSchemas, changeSteps, checkChange } from './changes.js';
import { faultSteps } from './faults.js';
import { tableName } from './names.js';
import { texts } from './texts.js';

const origin = object(
  {
    name: required(name, 'Name of the origin.', 'node_b'),
    lsn: optional(lsn, 'LSN of the commit there.', '0/AA'),
    time: optional(
      time,
      "Commit time there: Begin and Commit carry it. Else the transaction's own.",
      '2026-01-01T00:00:00Z',
    ),
  },
  { expected: 'an origin: { name, lsn }' },
);

const beginPins = {
  xid: optional(xid, 'Pins the transaction id.', 751),
  begin_lsn: optional(lsn, 'Pins the LSN of the first change: the header of Begin.', '0/1500060'),
  origin: optional(origin, 'The transaction was replicated from there.', { name: 'node_b', lsn: '0/AA' }),
};
const endLsn = optional(lsn, "Pins the end of the transaction's last record.", '0/15001B0');
const commitPins = {
  commit_lsn: optional(lsn, 'Pins the start of the commit record.', '0/1500180'),
  end_lsn: endLsn,
  commit_time: optional(time, 'Pins the commit time.', '2026-01-01T00:00:05Z'),
};
const preparePins = {
  prepare_lsn: optional(lsn, 'Pins the start of the PREPARE record.', '0/1500180'),
  end_lsn: endLsn,
  prepare_time: optional(time, 'Pins the time of the PREPARE.', '2026-01-01T00:00:05Z'),
};

const gid = (about: string) => required(texts, about, 'gid-1');
const label = (about: string) => required(texts, about, 'big1');

const oneOrManyTexts = (about: string) => required(oneOrMany(texts, 'a label, or a list of them'), about, ['big1']);

const transaction = object(
  {
    changes: required(changes, 'Its changes, in order.', [{ insert: 'users', row: { id: 1 } }]),
    ...beginPins,
    ...commitPins,
    unfinished: optional(boolean, 'The stream breaks off before its Commit, as a capture does that ends in it.', true),
  },
  { expected: 'a transaction: its changes' },
);

export const steps: NamedShape<StepList> = named('steps', () => list(step, 'a list of steps'), 'a list of steps');

// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- a type alias may not refer to itself this way
export interface StepList extends ReadonlyArray<StreamStep> {}

const streamVariants = {
  ...changeSteps,
  message: {
    ...changeSteps.message,
    origin: optional(origin, 'It was replicated from there (only without `transactional`).', { name: 'node_b' }),
  },
  transaction: {
    transaction: required(transaction, 'A transaction.', { changes: [{ insert: 'users', row: { id: 1 } }] }),
  },
  repeat: {
    repeat: required(count, 'How many times; {{index}} counts from 0.', 10_000_000),
    changes: optional(changes, 'Changes, each a transaction of its own.', [
      { insert: 'users', row: { id: '{{index}}' } },
    ]),
    steps: optional(steps, 'Whole steps.', [{ transaction: { changes: [] } }]),
    track: optional(boolean, 'Keep the rows for later `where`, SELECT and COPY.', true),
  },
  open: {
    open: label('A large transaction, by a name of your own: each step with it is one streamed block.'),
    changes: required(changes, 'The changes of this block; [] is an empty block.', [
      { insert: 'users', row: { id: 1 } },
    ]),
    ...beginPins,
    first_lsn: optional(lsn, 'Pins the header of Stream Start.', '0/1500060'),
    last_lsn: optional(lsn, 'Pins the header of Stream Stop.', '0/1500180'),
  },
  commit: { commit: label('Ends the open transaction.'), ...commitPins },
  abort: { abort: label('Rolls the open transaction back.'), ...abortPins },
  unfinished: {
    unfinished: oneOrManyTexts('Open transactions that stay open: how they end is not in this stream.'),
  },
  prepare: {
    prepare: gid('PREPARE TRANSACTION, with this gid.'),
    changes: optional(
      changes,
      'The changes of the transaction that ends so; with `of` those that no block has shown.',
      [{ insert: 'users', row: { id: 1 } }],
    ),
    of: optional(texts, 'The open transaction that ends so.', 'big3'),
    ...beginPins,
    first_lsn: optional(lsn, 'With `of`: pins the header of the last Stream Start.', '0/1500060'),
    last_lsn: optional(lsn, 'With `of`: pins the header of the last Stream Stop.', '0/1500180'),
    ...preparePins,
  },
  commit_prepared: { commit_prepared: gid('COMMIT PREPARED.'), ...commitPins },
  rollback_prepared: {
    rollback_prepared: gid('ROLLBACK PREPARED.'),
    rollback_lsn: optional(lsn, 'Pins the start of its record.', '0/1500180'),
    end_lsn: endLsn,
    rollback_time: optional(time, 'Pins its time.', '2026-01-01T00:00:05Z'),
  },
  vacuum: {
    vacuum: required(
      oneOrMany(tableName, 'names of tables'),
      'VACUUM: Relation is sent again, without a transaction.',
      ['users'],
    ),
    lsn: optional(lsn, 'Pins the LSN of its record.', '0/1500100'),
  },
  ...faultSteps,
} as const;

export type StreamStep = VariantOf<typeof streamVariants>;
export type StepOf<K extends StreamStep['kind']> = Extract<StreamStep, { kind: K }>;

export const step: Shape<StreamStep> = variants(
  {
    expected: 'a step such as `insert: users` or `transaction: …`',
    noun: 'step',
    check: checkStep,
    around: { key: 'repeat', listOf: (head) => (Object.hasOwn(changeSteps, head) ? 'changes' : 'steps') },
    meant: { rollback: ['abort', 'rollback_prepared'] },
    schemas: { ...changeSchemas, repeat: exactlyOneOf('changes', 'steps'), prepare: someOf('changes', 'of') },
  },
  streamVariants,
);

function checkStep(read: StreamStep, reader: Reader): void {
  if (read.kind === 'repeat') {
    exclusive(read, ['changes', 'steps'], reader);
    if (read.keys['changes'] === undefined && read.keys['steps'] === undefined) {
      reader.report('missing-key', read.at, 'a repeat needs `changes` or `steps`');
    }
  } else if (read.kind === 'prepare') {
    for (const key of ['xid', 'begin_lsn', 'origin']) exclusive(read, ['of', key], reader);
    if (read.keys['of'] === undefined && read.keys['changes'] === undefined) {
      reader.report('missing-key', read.at, 'a prepare needs the `changes` of its transaction, or `of`: an open one');
    }
  } else {
    checkChange(read, reader);
  }
}
