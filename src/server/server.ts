/**
 * The server: sockets, TLS and timers around the sessions.
 *
 * ```
 *   new ──listen()──→ listening ──close()──→ stopping: fast shutdown, at most `grace` ──→ closed
 * ```
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createNetServer, type AddressInfo, type Server as NetServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { Cluster, type ClusterConfig } from '../walsender/cluster.js';
import { Connection } from './connection.js';
import { streamPair } from './stream-pair.js';
import { systemClock, type ServerClock } from './system-clock.js';
import { loadTls, type TlsConfig, type TlsIdentity } from './tls.js';

export interface ServerConfig extends Omit<ClusterConfig, 'clock' | 'random'> {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: any free one. */
  readonly port?: number;
  /** Default off. */
  readonly tls?: TlsConfig;
  /** Default the computer's. */
  readonly clock?: ServerClock;
}

export interface CloseOptions {
  /** Milliseconds that walsenders have for handing over what is left; then they are terminated (57P01). Default 5000. */
  readonly grace?: number;
}

/** Connections that have not been accepted yet, as many as PostgreSQL keeps. */
const backlog = 200;

export function createServer(config: ServerConfig): Server {
  return new Server(config);
}

export class Server {
  #cluster: Cluster;
  readonly #clock: ServerClock;
  readonly #net: NetServer;
  readonly #connections = new Set<Connection>();
  #tls: TlsIdentity | undefined;
  #closing: Promise<void> | undefined;

  constructor(private readonly config: ServerConfig) {
    this.#clock = config.clock ?? systemClock;
    this.#cluster = this.#createCluster(config);
    // A client that half-closes still gets the answers to what it sent.
    this.#net = createNetServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.accept(socket));
  }

  get cluster(): Cluster {
    return this.#cluster;
  }

  /** Gets ready for connections that others accept. @throws Error for a certificate that cannot be read */
  async start(): Promise<void> {
    const { tls = 'off' } = this.config;
    if (tls !== 'off') this.#tls ??= await loadTls(tls, this.cluster.major);
  }

  /** Starts to accept connections. @throws the socket's error, EADDRINUSE say */
  async listen(): Promise<AddressInfo> {
    const { host = '127.0.0.1', port = 0 } = this.config;
    await this.start();
    this.#net.listen({ host, port, backlog });
    await once(this.#net, 'listening');
    // A connection that could not be accepted (EMFILE) is lost, the others are not.
    this.#net.on('error', (error) => this.cluster.observe({ kind: 'internalError', pid: 0, error }));
    return this.address;
  }

  /**
   * As a server set up anew behind the same port, with other databases: whoever is connected is thrown out (57P01).
   */
  restart(changes: Partial<ClusterConfig>): void {
    this.#cluster.terminate();
    this.#cluster = this.#createCluster({ ...this.config, ...changes, firstPid: this.#cluster.takePid() });
  }

  /** Where it listens. */
  get address(): AddressInfo {
    return this.#net.address() as AddressInfo;
  }

  /** Fast shutdown, as a real server's; calling it again ends it at once. */
  close({ grace = 5_000 }: CloseOptions = {}): Promise<void> {
    if (this.#closing) this.cluster.terminate();
    this.#closing ??= this.#shutDown(grace);
    return this.#closing;
  }

  async #shutDown(grace: number): Promise<void> {
    this.cluster.shutdown();
    for (const connection of this.#connections) connection.hurry();
    const timer = setTimeout(() => this.cluster.terminate(), grace);
    await Promise.all([...this.#connections].map((connection) => connection.closed));
    clearTimeout(timer);
    // There may be sessions that have not noticed that their connection is gone.
    this.cluster.terminate();
    // Until now it answered newcomers that it shuts down.
    await new Promise<void>((resolve) => this.#net.close(() => resolve()));
  }

  /** A connection without a port: the client's end of it. */
  connectStream(): Duplex {
    const { client, server } = streamPair();
    this.accept(server);
    return client;
  }

  /** Serves a connection that somebody else has accepted: a socket (with `allowHalfOpen`), or any other stream. */
  accept(socket: Duplex): void {
    const connection = new Connection(this.cluster, this.#clock, socket, this.#tls);
    this.#connections.add(connection);
    void connection.closed.then(() => this.#connections.delete(connection));
  }

  #createCluster(config: Omit<ClusterConfig, 'clock' | 'random'>): Cluster {
    return new Cluster({ ...config, clock: this.#clock, random: randomBytes });
  }
}
