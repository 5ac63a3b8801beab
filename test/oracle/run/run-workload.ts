/** Runs a workload on a server and reads every variant's stream. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseLsn } from '../../../src/values/lsn.js';
import { Capture } from '../client/capture.js';
import { Connection, quoteIdentifier, quoteLiteral } from '../client/connection.js';
import { recorderSql } from '../recorder/sql.js';
import type { Cluster } from '../server/cluster.js';
import { readEvents, type WalEvent } from '../wal/event.js';
import { WalFolder } from '../wal/pages.js';
import { parseRecord } from '../wal/record.js';
import { splitStatements } from '../workload/statements.js';
import { appliesTo, type Variant, type Workload } from '../workload/workload.js';
import type { StreamRun, WorkloadRun } from './run.js';
import { Sessions } from './sessions.js';

const template = 'oracle_template';

/** One variant's slot, and what was read from it. */
interface Reader {
  readonly variant: Variant;
  readonly slot: string;
  readonly streams: StreamRun[];
  readonly slotLsn: bigint;
  /** What was confirmed last. */
  position: bigint;
  /** The stream that is read while the steps run. */
  live: Capture | undefined;
}

export class WorkloadRunner {
  #count = 0;

  private constructor(
    readonly cluster: Cluster,
    readonly admin: Connection,
  ) {}

  /** Makes the database that every workload's is a copy of, with the recorder in it. */
  static async create(cluster: Cluster): Promise<WorkloadRunner> {
    const admin = await cluster.connect('postgres');
    await admin.query(`CREATE DATABASE ${template}`);
    const connection = await cluster.connect(template);
    await connection.query(recorderSql(cluster.major));
    connection.end();
    return new WorkloadRunner(cluster, admin);
  }

  /** @param only - name of the one variant wanted. @throws Error when the workload cannot be run as it says */
  async run(workload: Workload, only?: string): Promise<WorkloadRun> {
    const { major } = this.cluster;
    const database = `oracle_${++this.#count}`;
    // Copying files keeps what the template holds out of WAL.
    const strategy = major >= 15 ? ' STRATEGY file_copy' : '';
    await this.#create(`CREATE DATABASE ${database} TEMPLATE ${template}${strategy}`);
    const sessions = await Sessions.open(this.cluster, database);
    const readers: Reader[] = [];
    try {
      for (const { sql } of [...workload.setup, ...workload.publications].filter((item) => appliesTo(item, major))) {
        for (const statement of splitStatements(sql)) await sessions.run('main', statement);
      }
      sessions.statements.length = 0;
      const variants = workload.variants.filter((item) => appliesTo(item, major) && (only ?? item.name) === item.name);
      for (const variant of variants) readers.push(await this.#createSlot(variant, readers.length, sessions));
      const startLsn = parseLsn(await sessions.observer.value('SELECT pg_current_wal_insert_lsn()'));
      const catalog = await sessions.catalog();
      if (workload.live)
        for (const reader of readers) reader.live = await this.#connect(database, reader, reader.variant.options);

      await this.#runSteps(workload, sessions, readers, database);

      const endLsn = await this.#flush();
      const last = readers.map(async (reader) => {
        if (reader.live) await this.#finish(reader, reader.live, 'live', reader.variant.options, endLsn, false);
        else await this.#capture(database, reader, 'end', reader.variant.options, endLsn, false);
      });
      await Promise.all(last);
      const [system] = await this.admin.query(
        'SELECT system_identifier, timeline_id FROM pg_control_system(), pg_control_checkpoint()',
      );
      return {
        major,
        version: (await this.admin.value('SHOW server_version')).split(' ')[0]!,
        systemId: system![0]!,
        timeline: Number(system![1]!),
        live: workload.live,
        startLsn,
        catalog,
        statements: sessions.statements,
        wal: await this.#readWal(sessions, startLsn, endLsn, Number(system![1]!)),
        variants: readers.map(({ variant, slotLsn, streams }) => ({ variant, slotLsn, streams })),
      };
    } finally {
      for (const { live } of readers) live?.connection.end();
      await sessions.close();
      for (const { slot } of readers) await this.#dropSlot(slot);
      await this.#dropDatabase(database);
    }
  }

  async #runSteps(workload: Workload, sessions: Sessions, readers: readonly Reader[], database: string): Promise<void> {
    for (const step of workload.steps) {
      if (!appliesTo(step, this.cluster.major) || 'catalog' in step) continue;
      if ('capture' in step) {
        const lsn = await this.#flush();
        const captures = readers.map((reader) => {
          const options = { ...reader.variant.options, ...reader.variant.firstOptions };
          return this.#capture(database, reader, step.capture, options, lsn, step.confirm);
        });
        await Promise.all(captures);
        continue;
      }
      for (const statement of splitStatements(step.sql)) {
        await sessions.run(step.session, statement, step);
        if (!workload.live) continue;
        // Else it would be left to chance how much is decoded before a rollback.
        const lsn = await this.#flush();
        await Promise.all(readers.map(({ live }) => live!.reach(lsn)));
      }
    }
  }

  async #createSlot(variant: Variant, index: number, { database, observer }: Sessions): Promise<Reader> {
    const slot = `${database}_${index}`;
    const twoPhase = variant.slot.two_phase ? ', false, true' : '';
    const lsn = await observer.value(
      `SELECT lsn FROM pg_create_logical_replication_slot('${slot}', 'pgoutput'${twoPhase})`,
    );
    return { variant, slot, streams: [], slotLsn: parseLsn(lsn), position: parseLsn(lsn), live: undefined };
  }

  async #capture(
    database: string,
    reader: Reader,
    at: string,
    options: Variant['options'],
    lsn: bigint,
    confirm: boolean,
  ): Promise<void> {
    const capture = await this.#connect(database, reader, options);
    await this.#finish(reader, capture, at, options, lsn, confirm);
  }

  async #connect(database: string, { variant, slot }: Reader, options: Variant['options']): Promise<Capture> {
    const parameters = {
      user: 'postgres',
      database,
      replication: 'database',
      application_name: 'oracle',
      ...variant.gucs,
    };
    return Capture.start(await Connection.open(this.cluster.port, parameters), slot, options);
  }

  async #finish(
    reader: Reader,
    capture: Capture,
    at: string,
    options: Variant['options'],
    lsn: bigint,
    confirm: boolean,
  ): Promise<void> {
    await capture.reach(lsn);
    const confirmed = await capture.finish(confirm);
    const { frames, notices, error } = capture;
    reader.streams.push({ at, options, startLsn: reader.position, endLsn: lsn, frames, notices, error });
    if (confirmed > reader.position) reader.position = confirmed;
  }

  /** Has all WAL written to its files, by a commit in another database, which no slot decodes. @returns the WAL position before it */
  async #flush(): Promise<bigint> {
    const lsn = parseLsn(await this.admin.value('SELECT pg_current_wal_insert_lsn()'));
    await this.admin.query("SELECT pg_logical_emit_message(true, 'oracle', 'flush')");
    return lsn;
  }

  async #readWal({ observer, database }: Sessions, from: bigint, to: bigint, timeline: number): Promise<WalEvent[]> {
    const oid = Number(await observer.value(`SELECT oid FROM pg_database WHERE datname = ${quoteLiteral(database)}`));
    const segmentSize = BigInt(
      await observer.value(
        "SELECT setting::bigint * CASE unit WHEN '8kB' THEN 8192 ELSE 1 END FROM pg_settings WHERE name = 'wal_segment_size'",
      ),
    );
    const folder = new WalFolder(join(this.cluster.dataFolder, 'pg_wal'), timeline, segmentSize);
    const events: WalEvent[] = [];
    for (const record of folder.records(from, to))
      events.push(...readEvents(parseRecord(record), oid, this.cluster.major));
    return events;
  }

  /** The template can still be in use by a session that is about to leave. */
  async #create(sql: string): Promise<void> {
    await retry(() => this.admin.query(sql));
  }

  async #dropSlot(slot: string): Promise<void> {
    await retry(() => this.admin.query(`SELECT pg_drop_replication_slot('${slot}')`));
  }

  async #dropDatabase(database: string): Promise<void> {
    await retry(() => this.admin.query(`DROP DATABASE ${quoteIdentifier(database)}`));
  }
}

/** Server processes end a moment after their connections: what they still hold cannot be had at once. */
async function retry(action: () => Promise<unknown>): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await action();
      return;
    } catch (error) {
      if (attempt === 200) throw error;
      await sleep(25);
    }
  }
}
