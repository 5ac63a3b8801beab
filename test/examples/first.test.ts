import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { setupWalsender, table } from 'fake-walsender';
import 'fake-walsender/jest';
import { UserMirror } from './user-mirror.js'; // the consumer to be tested: it keeps a copy of a table

const users = table('public.users', { id: 'int8 primary key', email: 'text' });
const server = setupWalsender(users);
let mirror: UserMirror;
beforeAll(() => server.listen());
beforeEach(() => void (mirror = new UserMirror(server.url)).run());
afterEach(() => mirror.stop());
afterAll(() => server.close());

test('a key change moves the row', async () => {
  await server.publish(users.insert({ id: 1n, email: 'a@b.c' }));
  const commit = await server.publish(users.update({ where: { id: 1n }, set: { id: 2n } }));
  await expect(server).toHaveConfirmed(commit.endLsn);
  expect([...mirror.users.keys()]).toEqual(['2']);
});
