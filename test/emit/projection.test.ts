/** Whatever a client negotiates: when it has applied what it got, it has the rows that the database has. */
import { describe, it, expect } from '@jest/globals';
import fc from 'fast-check';
import type { OpenTransaction } from '../../src/database/index.js';
import { StatementError } from '../../src/database/index.js';
import { Writer } from '../../src/bytes/writer.js';
import { createDecoder } from '../../src/pgoutput/decoder.js';
import { encodeInto } from '../../src/pgoutput/encode.js';
import { defaultSettings } from '../../src/postgres/index.js';
import { createEmitter } from '../../src/timeline/emit.js';
import type { PgoutputOptions } from '../../src/timeline/emitter.js';
import type { Table } from '../../src/timeline/catalog.js';
import { OutOfLine } from '../../src/timeline/datum.js';
import { ApplyingClient } from './applying-client.js';
import { big, ref, Script } from './script.js';

type Action =
  | { readonly kind: 'insert' | 'update' | 'moveKey' | 'delete'; readonly table: number; readonly id: number }
  | { readonly kind: 'savepoint' | 'rollbackTo' | 'release' | 'endBlock' | 'commit' | 'abort' | 'prepare' }
  | { readonly kind: 'commitPrepared' | 'rollbackPrepared' | 'truncate' | 'addColumn' };
type Turn = Action & { readonly session: number; readonly streamed: boolean };

const tables = ['keyed', 'full', 'parts'] as const;

const turn: fc.Arbitrary<Turn> = fc
  .tuple(
    fc.oneof(
      {
        weight: 9,
        arbitrary: fc.record({
          kind: fc.constantFrom('insert', 'update', 'update', 'moveKey', 'delete'),
          table: fc.nat(tables.length - 1),
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

class Player {
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
    for (const table of tables) {
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
        return this.#change(tx, one, ref(tables[one.table]!));
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

interface Client {
  readonly name: string;
  readonly major: number;
  readonly options: Partial<PgoutputOptions>;
}

const clients: readonly Client[] = [
  { name: 'v1', major: 14, options: { protoVersion: 1 } },
  { name: 'v1 binary', major: 14, options: { protoVersion: 1, binary: true } },
  { name: 'v2 streaming', major: 14, options: { protoVersion: 2, streaming: 'on' } },
  { name: 'v3 two-phase', major: 15, options: { protoVersion: 3, twoPhase: true } },
  { name: 'v3 two-phase streaming', major: 15, options: { protoVersion: 3, twoPhase: true, streaming: 'on' } },
  { name: 'v4 on', major: 16, options: { protoVersion: 4, streaming: 'on', binary: true } },
  { name: 'v4 parallel', major: 16, options: { protoVersion: 4, streaming: 'parallel', twoPhase: true } },
];

function applied({ script }: Player, { options }: Client, late: boolean): ApplyingClient {
  const { timeline } = script.db;
  const client = new ApplyingClient();
  for (const [name, rows] of tablesOf(new Player(timeline.server.major))) {
    client.copy(
      tableNamed(script, name),
      rows.map((row) => JSON.parse(row) as (string | null)[]),
    );
  }
  const { major, startLsn } = timeline.server;
  const full: PgoutputOptions = {
    protoVersion: 1,
    publicationNames: ['pub'],
    binary: false,
    messages: false,
    streaming: 'off',
    twoPhase: false,
    origin: 'any',
    ...options,
  };
  const writer = new Writer();
  const decoder = createDecoder({ streaming: full.streaming });
  const emitter = createEmitter(
    timeline,
    {
      slotName: 's',
      options: full,
      settings: defaultSettings(major),
      startLsn,
      twoPhase: full.twoPhase,
      twoPhaseAt: startLsn,
      late,
    },
    {
      message: (message) => {
        writer.position = 0;
        encodeInto(writer, message, {
          protoVersion: full.protoVersion,
          streaming: full.streaming,
          inStream: decoder.inStream,
        });
        client.receive(decoder.decode(writer.copy()));
      },
      notice: () => undefined,
    },
  );
  while (emitter.next().kind !== 'idle');
  return client;
}

function tableNamed({ db }: Script, name: string): Table {
  return [...db.catalog.tables.values()].find((candidate) => candidate.name === name)!;
}

function tablesOf(player: Player): Map<string, string[]> {
  const { db } = player.script;
  return new Map(
    tables.map((name) => {
      const table = tableNamed(player.script, name);
      const leaves = [...db.catalog.tables.values()].filter(
        (leaf) => leaf.oid === table.oid || leaf.partitionOf === table.oid,
      );
      const rows = leaves.flatMap((leaf) =>
        leaf.kind === 'p'
          ? []
          : db.rows(leaf).map((row) =>
              JSON.stringify(
                table.columns.map((column) => {
                  const datum = row[leaf.columns.findIndex(({ name: other }) => other === column.name)]!;
                  return datum instanceof OutOfLine ? datum.text : (datum as string | null);
                }),
              ),
            ),
      );
      return [name, rows.sort()];
    }),
  );
}

describe('projection', () => {
  it.each(clients)('$name ends with the same tables', (client) => {
    fc.assert(
      fc.property(
        fc.array(turn, { minLength: 30, maxLength: 90 }),
        fc.integer({ min: client.major, max: 18 }),
        fc.boolean(),
        (turns, major, late) => {
          const player = new Player(major);
          player.play(turns);
          const subscriber = applied(player, client, late);
          for (const [name, rows] of tablesOf(player)) {
            const table = tableNamed(player.script, name);
            expect(
              subscriber.rows(
                table.oid,
                table.columns.map((column) => column.name),
              ),
            ).toEqual(rows);
          }
        },
      ),
      { numRuns: 150 },
    );
  });
});
