/**
 * What must and what must not compile. `npm run typecheck` is the test: a line marked as an error that is none fails it. Nothing
 * here runs.
 */
import * as pgoutput from '../../src/pgoutput/index.js';
import {
  command,
  connection,
  fault,
  query,
  setupWalsender,
  slot,
  table,
  toasted,
  tx,
  unchanged,
  type LiveEvent,
} from '../../src/index.js';
import type { ScenarioStep } from '../../src/scenario/index.js';

const users = table('public.users', {
  id: 'int8 primary key',
  email: 'varchar(200) not null',
  visits: 'int4',
  seen: 'timestamp(3) with time zone',
  active: { type: 'bool not null', default: true },
  tags: 'text[]',
  photo: 'bytea',
});

export function inserts(): void {
  users.insert({ id: 1n, email: 'a@b.c' });
  users.insert({
    id: 1n,
    email: 'a',
    visits: 3,
    seen: '2026-01-01',
    active: false,
    tags: '{a}',
    photo: new Uint8Array(1),
  });
  users.insert([{ id: 1n, email: 'a', visits: null }]);
  users.insert({ id: 1n, email: toasted('long') });
  // @ts-expect-error a string for an int8
  users.insert({ id: '1', email: 'a' });
  // @ts-expect-error a number for an int8: it cannot hold all of them
  users.insert({ id: 1, email: 'a' });
  // @ts-expect-error an unknown column
  users.insert({ id: 1n, email: 'a', mail: 'b' });
  // @ts-expect-error a column that is NOT NULL and has no default is left out
  users.insert({ id: 1n });
  // @ts-expect-error NULL where NOT NULL
  users.insert({ id: 1n, email: null });
  // @ts-expect-error only an update can leave a value unchanged
  users.insert({ id: 1n, email: unchanged });
}

export function updates(): void {
  users.update({ where: { id: 1n }, set: { email: 'b' } });
  users.update({ where: 'id > 10', set: { visits: null } });
  users.update({ old: { id: 1n, email: 'a' }, new: { id: 1n, email: 'b', photo: unchanged } });
  users.update({ key: { id: 1n }, new: { id: 2n, email: 'a' } });
  users.update({ new: { id: 2n, email: 'a' } });
  // @ts-expect-error K and O together
  users.update({ key: { id: 1n }, old: { id: 1n, email: 'a' }, new: { id: 2n, email: 'a' } });
  // @ts-expect-error a condition on an unknown column
  users.update({ where: { no: 1n }, set: { email: 'b' } });
  // @ts-expect-error without what is to be set
  users.update({ where: { id: 1n } });
  // @ts-expect-error a value of another type
  users.update({ where: { id: 1n }, set: { visits: 'three' } });
  users.delete({ key: { id: 1n } });
  // @ts-expect-error K and O together
  users.delete({ key: { id: 1n }, old: { id: 1n, email: 'a' } });
}

/** Serial and identity columns may be left out. */
export function generated(): void {
  const events = table('events', { id: 'bigserial primary key', no: 'int4 identity', at: 'timestamptz not null' });
  events.insert({ at: 'now' });
  events.insert({ id: 1n, no: 1, at: 'now' });
  // @ts-expect-error bigserial is an int8
  events.insert({ id: 1, at: 'now' });
}

/** Messages of the pgoutput builders: the same rules. */
export function builders(): void {
  const relation = pgoutput.relation({
    relationId: 1,
    name: 'users',
    columns: [
      { name: 'id', type: 'int8', key: true },
      { name: 'email', type: 'text' },
    ],
  });
  pgoutput.update(relation, { key: { id: 1n }, new: { id: 2n, email: 'a' } });
  // @ts-expect-error K and O together
  pgoutput.update(relation, { key: { id: 1n }, old: { id: 1n, email: 'a' }, new: { id: 2n, email: 'a' } });
  // @ts-expect-error an unknown column
  pgoutput.insert(relation, { id: 1n, mail: 'a' });
  // @ts-expect-error a string for an int8
  pgoutput.insert(relation, { id: '1' });
}

/** Narrowing on `kind`, with nothing left over. */
export function narrowed(event: LiveEvent, message: pgoutput.Message): string | bigint {
  if (event.kind === 'feedback') return event.flushLsn;
  if (event.kind === 'query') return event.command?.kind ?? event.text;
  // @ts-expect-error none of the others tells what was flushed
  const flushed = String(event.flushLsn);
  switch (message.kind) {
    case 'commit':
      return message.endLsn;
    case 'relation':
      return message.name;
    case 'insert':
      // @ts-expect-error an Insert has no old tuple
      return String(message.oldTuple);
    default:
      return flushed;
  }
}

export function handlers(): void {
  command('CREATE_REPLICATION_SLOT', ({ command: { slot: name, plugin } }) =>
    command.error('53400', `${name} ${plugin}`),
  );
  // @ts-expect-error IDENTIFY_SYSTEM names no slot
  command('IDENTIFY_SYSTEM', ({ command: { slot: name } }) => command.error('53400', String(name)));
  // @ts-expect-error there is no such command
  command('CREATE_SLOT', () => undefined);
  connection(({ user, database }) => connection.error('28000', user + database));
  // @ts-expect-error before anything was read nobody knows the user
  connection('connect', ({ user }) => connection.error('28000', String(user)));
  // @ts-expect-error a result set is no answer to a connection
  connection(() => query.rows([]));
  query(/x/, async ({ values }) => Promise.resolve(query.rows([{ first: values[0] }])));
  query('x', function* () {
    yield query.rows([]);
    return query.error('57P03', 'starting up');
  });
  // @ts-expect-error a row is no answer
  query('x', () => [{ a: 1 }]);
  slot('s', function* ({ startLsn }) {
    const { endLsn } = yield tx([users.insert({ id: startLsn, email: 'a' }), fault.disconnect('reset')]);
    yield users.insert({ id: endLsn, email: 'b' });
  });
  // @ts-expect-error a row is nothing that can be published
  slot('s', function* () {
    yield { id: 1n };
  });
  // @ts-expect-error a transaction is no handler
  setupWalsender(tx([]));
}

/** Every kind of step has a builder. */
export const builderOfEachStep: { readonly [K in ScenarioStep['kind']]: (...given: never[]) => ScenarioStep } = fault;
