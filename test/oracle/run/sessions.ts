/** The workload's connections, and the harness's own beside them. */
import { parseLsn } from '../../../src/values/lsn.js';
import type { Connection } from '../client/connection.js';
import type { CatalogSnapshot } from '../recorder/catalog.js';
import { parseTold, type Told } from '../recorder/told.js';
import type { Cluster } from '../server/cluster.js';
import type { StatementRun } from './run.js';

export class Sessions {
  readonly statements: StatementRun[] = [];
  readonly #connections = new Map<string, Connection>();
  /** Sessions whose open transaction has told of DDL. */
  readonly #altering = new Set<string>();

  private constructor(
    readonly cluster: Cluster,
    readonly database: string,
    readonly observer: Connection,
  ) {}

  static async open(cluster: Cluster, database: string): Promise<Sessions> {
    return new Sessions(cluster, database, await cluster.connect(database));
  }

  /** Runs one statement. @throws Error when it fails though it should not, or the other way round */
  async run(session: string, sql: string, { stdin = '', expectError = false } = {}): Promise<void> {
    let connection = this.#connections.get(session);
    if (connection === undefined) {
      connection = await this.cluster.connect(this.database);
      this.#connections.set(session, connection);
    }
    const { notices, error } = await connection.run(sql, stdin);
    if ((error !== undefined) !== expectError) {
      throw new Error(`${sql}\n${error ? `failed: ${error.message}` : 'did not fail'}`);
    }
    const told = notices.map(parseTold).filter((item): item is Told => item !== undefined);
    if (told.some(({ kind }) => kind === 'ddl')) this.#altering.add(session);
    // A prepared transaction can have altered something long before.
    if (/^\s*commit\s+prepared\b/i.test(sql)) this.#altering.add(session);
    const settled = connection.status === 'I' && this.#altering.delete(session);
    const [position] = await this.observer.query(
      'SELECT pg_current_wal_insert_lsn(), (SELECT json_object_agg(roident, roname) FROM pg_replication_origin)',
    );
    this.statements.push({
      session,
      sql,
      told,
      endLsn: parseLsn(position![0]!),
      origins: JSON.parse(position![1] ?? '{}') as Record<string, string>,
      catalog: settled ? await this.catalog() : undefined,
    });
  }

  async catalog(): Promise<CatalogSnapshot> {
    return JSON.parse(await this.observer.value('SELECT oracle.catalog()')) as CatalogSnapshot;
  }

  /** Ends what the workload left open. */
  async close(): Promise<void> {
    for (const connection of this.#connections.values()) connection.end();
    const left = await this.observer.query('SELECT gid FROM pg_prepared_xacts WHERE database = current_database()');
    for (const [gid] of left) await this.observer.query(`ROLLBACK PREPARED '${gid!.replaceAll("'", "''")}'`);
    this.observer.end();
  }
}
