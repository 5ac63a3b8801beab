/** Whatever a client negotiates: when it has applied what it got, it has the rows that the database has. */
import { describe, it, expect } from '@jest/globals';
import fc from 'fast-check';
import { Writer } from '../../src/bytes/writer.js';
import { createDecoder } from '../../src/pgoutput/decoder.js';
import { encodeInto } from '../../src/pgoutput/encode.js';
import { defaultSettings } from '../../src/postgres/index.js';
import { createEmitter } from '../../src/timeline/emit.js';
import type { PgoutputOptions } from '../../src/timeline/emitter.js';
import type { Table } from '../../src/timeline/catalog.js';
import { OutOfLine } from '../../src/timeline/datum.js';
import { ApplyingClient } from './applying-client.js';
import { playedTables, Player, turn } from './player.js';
import type { Script } from './script.js';

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
    playedTables.map((name) => {
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
