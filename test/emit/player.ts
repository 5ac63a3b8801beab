/** Generated histories: what sessions do to a database, turn by turn. */
import fc from 'fast-check';
import type { OpenTransaction } from '../../src/database/index.js';
import { StatementError } from '../../src/database/index.js';
import { big, ref, Script } from './script.js';

type Action =
  | { readonly kind: 'insert' | 'update' | 'moveKey' | 'delete'; readonly table: number; readonly id: number }
  | { readonly kind: 'savepoint' | 'rollbackTo' | 'release' | 'endBlock' | 'commit' | 'abort' | 'prepare' }
  | { readonly kind: 'commitPrepared' | 'rollbackPrepared' | 'truncate' | 'addColumn' };
export type Turn = Action & { readonly session: number; readonly streamed: boolean };

export const playedTables = ['keyed', 'full', 'parts'] as const;

export const turn: fc.Arbitrary<Turn> = fc
  .tuple(
    fc.oneof(
      {
        weight: 9,
        arbitrary: fc.record({
          kind: fc.constantFrom('insert', 'update', 'update', 'moveKey', 'delete'),
          table: fc.nat(playedTables.length - 1),
          id: fc.nat(19),
        }),
      },
      {
        weight: 8,
        arbitrary: fc.record({
          kind: fc.constantFrom(
            ...([
              'savepoint',
              'savepoint',
              'rollbackTo',
              'rollbackTo',
              'release',
              'endBlock',
              'endBlock',
              'endBlock',
            ] as const),
            ...(['commit', 'commit', 'commit', 'abort', 'prepare'] as const),
          ),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constantFrom('commitPrepared', 'commitPrepared', 'rollbackPrepared', 'truncate', 'addColumn'),
        }),
      },
    ),
    fc.record({ session: fc.nat(1), streamed: fc.boolean() }),
  )
  .map(([action, where]) => ({ ...action, ...where }));

/** Two sessions that change three tables at once. */
export class Player {
  readonly script: Script;
  readonly #sessions = new Map<number, OpenTransaction>();
  readonly #gids: string[] = [];
  #made = 0;

  constructor(major: number) {
    this.script = new Script(major);
    const columns = ['id int4 pk', 'v text', 'body text'];
    this.script.table('keyed', columns);
    this.script.table('full', columns, { replicaIdentity: 'full' });
    this.script.table('parts', columns, {
      partitionBy: { strategy: 'range', columns: ['id'] },
      partitions: [
        { name: 'low', bound: { kind: 'range', from: [null], to: ['5'] }, columnOrder: ['body', 'id', 'v'] },
        { name: 'high', bound: { kind: 'range', from: ['5'], to: [null] } },
      ],
    });
    for (const table of playedTables) {
      for (let id = 0; id < 10; id++) {
        this.script.db.loadRows(ref(table), [{ id: String(id), v: 'first', body: big(`long ${id}`) }]);
      }
    }
    this.script.publication('pub', 'all', major >= 13 ? { viaPartitionRoot: true } : {});
  }

  play(turns: readonly Turn[]): void {
    for (const one of turns) this.#take(one);
    for (const open of this.#sessions.values()) open.abort();
  }

  #take(one: Turn): void {
    const open = this.#sessions.get(one.session);
    if (one.kind === 'commitPrepared' || one.kind === 'rollbackPrepared') {
      const gid = this.#gids.shift();
      if (gid !== undefined) this.script.db[one.kind](gid);
      return;
    }
    const tx = open ?? this.script.db.begin({ streamed: one.streamed });
    this.#sessions.set(one.session, tx);
    try {
      this.#act(tx, one);
    } catch (error) {
      // No such row or savepoint, or another session has the row.
      if (!(error instanceof StatementError)) throw error;
    }
  }

  #act(tx: OpenTransaction, one: Turn): void {
    switch (one.kind) {
      case 'insert':
      case 'update':
      case 'moveKey':
      case 'delete':
        return this.#change(tx, one, ref(playedTables[one.table]!));
      case 'savepoint':
        return tx.savepoint('s');
      case 'rollbackTo':
        return tx.rollbackTo('s', { endsBlock: one.streamed });
      case 'release':
        return tx.release('s');
      case 'endBlock':
        return void tx.endBlock();
      case 'prepare':
        this.#gids.push(`gid ${++this.#made}`);
        tx.prepare(this.#gids.at(-1)!);
        return void this.#sessions.delete(one.session);
      case 'commit':
      case 'abort':
        tx[one.kind]();
        return void this.#sessions.delete(one.session);
      case 'truncate':
      case 'addColumn':
        // A server would wait for the others.
        if (this.#sessions.size > 1 || this.#gids.length > 0) return;
        if (one.kind === 'truncate') return tx.truncate([ref('keyed'), ref('parts')]);
        return tx.alterTable(ref('keyed'), [
          { kind: 'addColumn', column: { ...this.script.columns(`n${++this.#made} text`).columns[0]! } },
        ]);
      case 'commitPrepared':
      case 'rollbackPrepared':
    }
  }

  #change(
    tx: OpenTransaction,
    one: Turn & { id: number; kind: string },
    table: { namespace: string; name: string },
  ): void {
    const id = String(one.id);
    const value = String(++this.#made);
    if (one.kind === 'insert') tx.insert(table, { id, v: value, body: big(`long ${value}`) });
    else if (one.kind === 'update') tx.update(table, { where: { id }, set: { v: value } });
    else if (one.kind === 'moveKey') tx.update(table, { where: { id }, set: { id: String((one.id + 7) % 20) } });
    else tx.delete(table, { where: { id } });
  }
}
