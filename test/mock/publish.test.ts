import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  block,
  commitPrepared,
  ddl,
  fault,
  message,
  nonTransactionalMessage,
  rollbackPrepared,
  savepoint,
  setupWalsender,
  StatementError,
  table,
  toasted,
  tx,
  unchanged,
} from '../../src/index.js';
import { consume } from './consumer.js';

const users = table('public.users', { id: 'int8 primary key', email: 'text', bio: 'text' });
const logs = table('logs', { line: 'text not null' }, { replicaIdentity: 'full' });

const server = setupWalsender(users, logs);
beforeAll(() => server.listen());
afterEach(() => server.reset());
afterAll(() => server.close());

const kinds = (messages: readonly { kind: string }[]) => messages.map(({ kind }) => kind);

describe('publish', () => {
  it('sends a transaction to a consumer that is there, and tells where it stands', async () => {
    const consumer = await consume(server.url);
    const commit = await server.publish(tx([users.insert({ id: 1n, email: 'a@b.c' })]));
    await consumer.received('commit');
    expect(consumer.messages).toMatchObject([
      { kind: 'begin', finalLsn: commit.commitLsn, xid: commit.xid },
      { kind: 'relation', name: 'users', replicaIdentity: 'default' },
      { kind: 'insert', newTuple: ['1', 'a@b.c', null] },
      { kind: 'commit', commitLsn: commit.commitLsn, endLsn: commit.endLsn },
    ]);
    const confirmed = server.confirmed('s', commit.endLsn);
    consumer.confirm(commit.endLsn);
    await confirmed;
    await consumer.end();
  });

  it('derives K, O and nothing from the replica identity, and leaves out what lies out of line', async () => {
    const consumer = await consume(server.url);
    await server.publish(users.insert({ id: 1n, email: 'a', bio: toasted('long') }));
    await server.publish(users.update({ where: { id: 1n }, set: { email: 'b' } }));
    await server.publish(users.update({ where: { id: 1n }, set: { id: 2n } }));
    await server.publish(users.update({ key: { id: 9n }, new: { id: 10n, email: 'x', bio: unchanged } }));
    await server.publish(users.delete({ where: 'id = 2' }));
    await server.publish([logs.insert([{ line: 'one' }, { line: 'two' }]), logs.delete({ where: { line: 'one' } })]);
    await server.publish(logs.truncate());
    await consumer.received('truncate');
    expect(consumer.messages.filter(({ kind }) => /^(insert|update|delete|truncate)$/.test(kind))).toMatchObject([
      { kind: 'insert', newTuple: ['1', 'a', 'long'] },
      { kind: 'update', oldTuple: null, newTuple: ['1', 'b', unchanged] },
      { kind: 'update', oldTuple: { marker: 'K', columns: ['1', null, null] }, newTuple: ['2', 'b', unchanged] },
      { kind: 'update', oldTuple: { marker: 'K', columns: ['9', null, null] }, newTuple: ['10', 'x', unchanged] },
      { kind: 'delete', oldTuple: { marker: 'K', columns: ['2', null, null] } },
      { kind: 'insert', newTuple: ['one'] },
      { kind: 'insert', newTuple: ['two'] },
      { kind: 'delete', oldTuple: { marker: 'O', columns: ['one'] } },
      { kind: 'truncate' },
    ]);
    await consumer.end();
  });

  it('refuses what a server would, and nothing of the transaction shows', async () => {
    const consumer = await consume(server.url);
    const refused = server.publish(
      tx([users.insert({ id: 1n }), users.update({ where: { id: 7n }, set: { email: 'x' } })]),
    );
    await expect(refused).rejects.toThrow(StatementError);
    await server.publish(users.insert({ id: 1n }));
    await consumer.received('commit');
    expect(kinds(consumer.messages)).toEqual(['begin', 'relation', 'insert', 'commit']);
    await consumer.end();
  });

  it('sends DDL as the next Relation, and messages to who asked for them', async () => {
    const consumer = await consume(server.url, {
      options: `proto_version '1', publication_names 'p', messages 'true'`,
    });
    await server.publish(tx([ddl.addColumn(users, 'age', 'int4'), message('audit', 'in')]));
    await server.publish(nonTransactionalMessage('audit', 'out'));
    const wider = table('users', { id: 'int8 primary key', age: 'int4' });
    await server.publish(wider.insert({ id: 3n, age: 33 }));
    await consumer.received('insert');
    expect(consumer.messages.filter(({ kind }) => kind !== 'begin' && kind !== 'commit')).toMatchObject([
      { kind: 'message', transactional: true, content: new Uint8Array(Buffer.from('in')) },
      { kind: 'message', transactional: false, content: new Uint8Array(Buffer.from('out')) },
      { kind: 'relation', columns: [{ name: 'id' }, { name: 'email' }, { name: 'bio' }, { name: 'age' }] },
      { kind: 'insert', newTuple: ['3', null, null, '33'] },
    ]);
    await consumer.end();
  });

  it('sends prepared transactions when they are decided about', async () => {
    const consumer = await consume(server.url);
    await server.publish(tx([users.insert({ id: 1n })], { gid: 'kept' }));
    await server.publish(tx([users.insert({ id: 2n })], { gid: 'dropped' }));
    await server.publish(rollbackPrepared('dropped'));
    await server.publish(commitPrepared('kept'));
    await consumer.received('commit');
    expect(consumer.messages.find(({ kind }) => kind === 'insert')).toMatchObject({ newTuple: ['1', null, null] });
    await expect(server.publish(commitPrepared('kept'))).rejects.toThrow(/"kept" does not exist/);
    await consumer.end();
  });

  it('streams a transaction that the test keeps open, block by block', async () => {
    const options = `proto_version '2', publication_names 'p', streaming 'on'`;
    const consumer = await consume(server.url, { options });
    const open = await server.begin({ streamed: true });
    open.run(users.insert({ id: 1n }), savepoint([users.insert({ id: 2n })], { rollback: true })).block();
    await consumer.received('streamStop');
    await server.publish(users.insert({ id: 5n }));
    await consumer.received('commit');
    const commit = open.run(users.insert({ id: 3n })).commit();
    await consumer.received('streamCommit');
    expect(consumer.messages.at(-1)).toMatchObject({ kind: 'streamCommit', xid: open.xid, endLsn: commit.endLsn });
    expect(consumer.messages.filter(({ kind }) => kind === 'insert')).toMatchObject([
      { xid: open.xid, newTuple: ['1', null, null] },
      { newTuple: ['2', null, null] },
      { newTuple: ['5', null, null] },
      { xid: open.xid, newTuple: ['3', null, null] },
    ]);
    const dropped = await server.begin({ streamed: true });
    dropped.run(users.insert({ id: 7n }), block());
    dropped.rollback();
    await consumer.received('streamAbort', 2);
    await consumer.end();
  });

  it('makes tables that it meets in an open transaction', async () => {
    const consumer = await consume(server.url);
    const open = await server.begin();
    open.run(users.insert({ id: 1n }));
    const orders = table('orders', { no: 'int4 primary key' });
    open.run(orders.insert({ no: 1 })).commit();
    await consumer.received('commit');
    expect(kinds(consumer.messages)).toEqual(['begin', 'relation', 'insert', 'relation', 'insert', 'commit']);
    await consumer.end();
  });

  it('takes steps of the scenario format, and does faults now or in their place', async () => {
    const consumer = await consume(server.url);
    await server.publishStep('insert: users\nrow: { id: 4, email: yaml }');
    await consumer.received('commit');
    await server.inject(fault.notice({ severity: 'WARNING', code: '01000', message: 'soon' }));
    await server.publish(fault.disconnect('terminate'));
    await consumer.ended;
    expect(await consumer.error).toMatchObject({ code: '57P01' });
    expect(server.history.filter((event) => event.kind === 'fault').map(({ step }) => step.kind)).toEqual([
      'notice',
      'disconnect',
    ]);
  });

  it('tells of values that are not of their column', async () => {
    await expect(server.publish(users.insert({ id: 'one' as unknown as bigint }))).rejects.toThrow(
      'column "id": invalid input syntax for type bigint: "one"',
    );
    await expect(server.publish(users.insert({ id: 2n ** 70n }))).rejects.toThrow(/id.*integer/);
    await expect(server.publish(users.insert({ id: 1n, mail: 'x' } as never))).rejects.toThrow(
      /"mail".*does not exist/,
    );
  });
});
