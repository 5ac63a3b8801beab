/** The consumer that the examples test: it keeps a copy of one table, and connects again whenever it loses the connection. */
import { LogicalReplicationService, PgoutputPlugin, type Pgoutput } from 'pg-logical-replication';

export interface User {
  readonly id: string;
  readonly email: string | null;
  readonly bio: string | null;
}

export class UserMirror {
  readonly users = new Map<string, User>();
  /** How often it has connected. */
  connections = 0;
  #service: LogicalReplicationService | undefined;
  #stopped = false;

  constructor(
    private readonly url: string,
    private readonly slot = 'mirror',
  ) {}

  /** Follows the stream until `stop`. */
  async run(): Promise<void> {
    while (!this.#stopped) {
      this.connections++;
      const service = new LogicalReplicationService(
        { connectionString: this.url },
        { acknowledge: { auto: false, timeoutSeconds: 0 } },
      );
      this.#service = service;
      service.on('data', (_, message: Pgoutput.Message) => {
        this.#apply(message);
        if (message.tag === 'commit') void service.acknowledge(message.commitEndLsn ?? '');
      });
      service.on('heartbeat', (lsn, _, shouldRespond) => {
        if (shouldRespond) void service.acknowledge(lsn);
      });
      service.on('error', () => undefined);
      const plugin = new PgoutputPlugin({ protoVersion: 1, publicationNames: ['mirror'] });
      await service.subscribe(plugin, this.slot).catch(() => undefined);
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#service?.stop();
  }

  #apply(message: Pgoutput.Message): void {
    switch (message.tag) {
      case 'insert':
        this.#put(message.new as User);
        break;
      case 'update': {
        const { id } = (message.key ?? message.new) as User;
        const before = this.users.get(id);
        this.users.delete(id);
        // What is undefined is stored out of line, and was not touched.
        const changed = Object.entries(message.new).filter(([, value]) => value !== undefined);
        this.#put({ ...before, ...Object.fromEntries(changed) } as User);
        break;
      }
      case 'delete':
        this.users.delete((message.key as User).id);
        break;
      default:
    }
  }

  #put(user: User): void {
    this.users.set(user.id, user);
  }
}
