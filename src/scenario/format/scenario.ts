/** The whole file. */
import { object, oneOrMany, optional, required, type ReadOf } from '../object.js';
import { integer, name, text } from '../scalars.js';
import { answers } from './answers.js';
import { expectations } from './expect.js';
import { publications } from './publications.js';
import { client, server, slots, types } from './server.js';
import { steps } from './stream.js';
import { tables } from './tables.js';

/** What an included file may hold as well. */
const sharedFields = {
  description: optional(
    text,
    'What it shows and why, for whoever reads the file.',
    'A customer gets a new number; its orders follow.',
  ),
  include: optional(
    oneOrMany(name, 'names of files'),
    'Files, relative to this one and inside its folder, whose tables, types and publications are added.',
    ['tables/common.yaml'],
  ),
  types: optional(types, 'User-defined types.', { 'public.mood': { enum: ['sad', 'ok', 'happy'] } }),
  tables: optional(tables, 'Tables and the rows that they hold before the stream starts.', {
    'public.users': { columns: { id: 'bigint primary key', email: 'text not null' } },
  }),
  publications: optional(publications, 'Publications. None declared: every name exists and publishes everything.', {
    app_pub: { tables: ['public.users'] },
  }),
};

const scenarioFields = {
  scenario: required(text, 'Title.', 'Key change under the default replica identity'),
  ...sharedFields,
  seed: optional(integer(0, 0xffff_ffff, 'a seed'), 'What generated values follow from. Default 0.', 42),
  server: optional(server, 'The emulated server.', { version: 17 }),
  slots: optional(slots, 'Replication slots that exist. None declared: a slot is made by its first use.', {
    app_slot: { plugin: 'pgoutput' },
  }),
  client: optional(client, 'What `encode` takes for the client; no effect on `serve`.', {
    proto_version: 2,
    streaming: 'on',
  }),
  answers: optional(answers, 'Answers to queries, and failures at login and at commands.', [
    { on: 'connect', error: { code: '53300', message: 'sorry, too many clients already' }, times: 2 },
  ]),
  stream: optional(steps, 'What happens, in order.', [{ insert: 'users', row: { id: 2 } }]),
  expect: optional(expectations, 'What a correct consumer does.', [{ flushed: 'end', within: '10s' }]),
};

export const scenarioFile = object(scenarioFields, { expected: 'a map with `scenario`, `tables`, `stream` …' });
export type ScenarioFile = ReadOf<typeof scenarioFields>;

export const includedFile = object(sharedFields, { expected: 'a map with `tables`, `types`, `publications`' });
export type IncludedFile = ReadOf<typeof sharedFields>;
