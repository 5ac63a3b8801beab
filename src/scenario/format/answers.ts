/** What surrounds the stream: canned answers to queries, and what happens at login and at commands. */
import { exclusive, variants, type VariantOf } from '../alternative.js';
import { list, mapOf, object, optional, required } from '../object.js';
import { boolean, choice, count, duration, name, scalar, text } from '../scalars.js';
import type { Reader } from '../shape.js';
import { textSchema } from '../json-schema.js';
import { typeReference } from './columns.js';
import { errorFields, noticeFields } from './faults.js';
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
const notice = object(noticeFields, { expected: 'a notice: its message' });

const when = object(
  {
    user: optional(name, 'Connections of this user.', 'app'),
    database: optional(name, 'To this database.', 'app'),
    application_name: optional(name, 'With this application_name.', 'debezium'),
    tls: optional(boolean, 'With TLS, or without.', false),
    replication: optional(boolean, 'Walsenders, or ordinary connections.', true),
  },
  { expected: 'what is said of a connection: user, database, application_name, tls, replication' },
);

/** What every answer may have besides its outcome; alone they come before the server's own answer. */
const common = {
  when: optional(when, 'Only on such connections.', { tls: false }),
  delay: optional(duration, 'So long after the question.', '2s'),
  notices: optional(list(notice, 'a list of notices'), 'NoticeResponses first.', [{ message: 'the lights are dim' }]),
  parameters: optional(mapOf(text, 'a map from parameters to values'), 'ParameterStatus first.', {
    server_version: '17.2 (Debian 17.2-1)',
  }),
  times: optional(count, 'How many times; always where left out.', 2),
};

const disconnect = optional(
  choice('reset', 'close', 'half-open'),
  'The end of the connection instead: at once, in good order, or silence for ever.',
  'reset',
);

const answerVariants = {
  query: {
    query: required(queryPattern, 'Queries that this answers.', '/from pg_publication_tables/i'),
    rows: optional(list(row, 'a list of rows'), 'Rows of the result.', [{ schemaname: 'public', tablename: 'users' }]),
    types: optional(mapOf(typeReference, 'a map from columns to types'), 'Types of its columns; text otherwise.', {
      tablename: 'name',
    }),
    error: optional(errorAnswer, 'An error instead of rows.', { code: '57P03', message: 'starting up' }),
    disconnect,
    ...common,
  },
  on: {
    on: required(
      choice(
        ...(['connect', 'tls', 'auth', 'ready', 'IDENTIFY_SYSTEM', 'CREATE_REPLICATION_SLOT'] as const),
        ...(['DROP_REPLICATION_SLOT', 'ALTER_REPLICATION_SLOT', 'READ_REPLICATION_SLOT'] as const),
        ...(['START_REPLICATION', 'TIMELINE_HISTORY', 'BASE_BACKUP', 'SHOW'] as const),
      ),
      'When. `tls`: TLS was asked for; `auth`: before a password is; `ready`: before the first ReadyForQuery.',
      'connect',
    ),
    error: optional(errorAnswer, 'The error.', { code: '53300', message: 'sorry, too many clients already' }),
    disconnect,
    refuse: optional(boolean, 'Of `tls`: the answer is N, there is no TLS.', true),
    ask_for: optional(
      choice('password', 'md5', 'gss', 'sspi', 'kerberos'),
      'Of `auth`: what the client is asked for, whatever the server has for `auth`.',
      'gss',
    ),
    mechanisms: optional(
      list(name, 'a list of SASL mechanisms'),
      'Of `auth`: the SASL mechanisms that the client is offered.',
      ['SCRAM-SHA-256-PLUS', 'SCRAM-SHA-256'],
    ),
    ...common,
  },
} as const;

export type Answer = VariantOf<typeof answerVariants>;

export const answers = list(
  variants({ expected: 'an answer', noun: 'answer', check: checkAnswer }, answerVariants),
  'a list of answers',
);

const outcomes = ['rows', 'error', 'disconnect', 'refuse', 'ask_for', 'mechanisms'];
const additions = ['delay', 'notices', 'parameters'];
/** Before the client has been let in it takes no notices and parameters. */
const early = ['connect', 'tls', 'auth'];

function checkAnswer(answer: Answer, reader: Reader): void {
  const { keys, at } = answer;
  const conflict = (key: string, message: string): void => {
    if (keys[key] !== undefined) reader.report('conflicting-keys', keys[key], message);
  };
  for (const [i, one] of outcomes.entries()) {
    for (const other of outcomes.slice(i + 1)) exclusive(answer, [one, other], reader);
  }
  if ([...outcomes, ...additions].every((key) => keys[key] === undefined)) {
    const some = answer.kind === 'query' ? '`rows`, `error` or `disconnect`' : '`error` or `disconnect`';
    reader.report(
      'missing-key',
      at,
      `an answer needs ${some}, or \`delay\`, \`notices\`, \`parameters\` before the server's own`,
    );
  }
  if (answer.kind === 'query') {
    if (keys['rows'] === undefined) conflict('types', '`types` are those of `rows`');
    return;
  }
  const { value: on } = answer.on;
  if (on !== 'tls') conflict('refuse', '`refuse` answers `on: tls` only');
  if (on !== 'auth') for (const key of ['ask_for', 'mechanisms']) conflict(key, `\`${key}\` answers \`on: auth\` only`);
  if (on === 'connect' || on === 'tls') conflict('when', `nothing is known of the client at \`${on}\``);
  if (early.includes(on))
    for (const key of ['notices', 'parameters']) conflict(key, `clients take \`${key}\` from \`ready\` on only`);
}
