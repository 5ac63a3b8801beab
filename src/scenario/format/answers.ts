/** What surrounds the stream: canned answers to queries, and failures at login and at commands. */
import { variants, type VariantOf } from '../alternative.js';
import { list, mapOf, object, optional, required } from '../object.js';
import { choice, count, scalar } from '../scalars.js';
import type { Reader } from '../shape.js';
import { textSchema } from '../json-schema.js';
import { typeReference } from './columns.js';
import { errorFields } from './faults.js';
import { row } from './values.js';

/** `/from pg_publication_tables/i`, or the exact text. */
export const queryPattern = scalar<RegExp | string>({
  expected: 'a query: its exact text, or a /pattern/',
  parse: (written) => {
    const pattern = /^\/([^]+)\/([a-z]*)$/.exec(written);
    if (pattern === null) return written === '' ? undefined : written;
    try {
      return new RegExp(pattern[1]!, pattern[2]);
    } catch {
      return undefined;
    }
  },
  schema: textSchema,
});

const errorAnswer = object(errorFields, { expected: 'an error: its code and message' });
const times = optional(count, 'How many times; always where left out.', 2);

const answerVariants = {
  query: {
    query: required(queryPattern, 'Queries that this answers.', '/from pg_publication_tables/i'),
    rows: optional(list(row, 'a list of rows'), 'Rows of the result.', [{ schemaname: 'public', tablename: 'users' }]),
    types: optional(mapOf(typeReference, 'a map from columns to types'), 'Types of its columns; text otherwise.', {
      tablename: 'name',
    }),
    error: optional(errorAnswer, 'An error instead of rows.', { code: '57P03', message: 'starting up' }),
    times,
  },
  on: {
    on: required(
      choice(
        ...(['connect', 'tls', 'auth', 'IDENTIFY_SYSTEM', 'CREATE_REPLICATION_SLOT', 'DROP_REPLICATION_SLOT'] as const),
        ...(['ALTER_REPLICATION_SLOT', 'READ_REPLICATION_SLOT', 'START_REPLICATION', 'TIMELINE_HISTORY'] as const),
        ...(['BASE_BACKUP', 'SHOW'] as const),
      ),
      'When.',
      'connect',
    ),
    error: required(errorAnswer, 'The error.', { code: '53300', message: 'sorry, too many clients already' }),
    times,
  },
} as const;

export type Answer = VariantOf<typeof answerVariants>;

export const answers = list(
  variants({ expected: 'an answer', noun: 'answer', check: checkAnswer }, answerVariants),
  'a list of answers',
);

function checkAnswer(answer: Answer, reader: Reader): void {
  if (answer.kind !== 'query') return;
  if ((answer.keys['rows'] === undefined) === (answer.keys['error'] === undefined)) {
    reader.report('missing-key', answer.at, 'an answer to a query has either `rows` or `error`');
  }
}
