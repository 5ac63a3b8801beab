/**
 * From a connection's first byte to its first ReadyForQuery:
 *
 * ```
 *                 ┌─ SSLRequest: S, handshake ─┐
 *                 ▼                            │
 *   (connect) → packets ── SSLRequest, GSSENCRequest: N ──→ packets
 *                 │ ├── CancelRequest ──→ end
 *                 │ StartupMessage
 *                 ▼
 *           authenticating ──AuthenticationOk──→ role, database, settings ──→ admitted
 * ```
 */
import {
  authenticationOk,
  backendKeyData,
  legacyError,
  negotiateProtocolVersion,
  parameterStatus,
  readyForQuery,
} from '../protocol/backend-messages.js';
import type { Deframer } from '../protocol/deframer.js';
import { authenticationMessageLimit, startupPacketLimit } from '../protocol/limits.js';
import { parseStartupPacket, type StartupPacket } from '../protocol/startup-packet.js';
import type { SqlSession } from '../sql/engine.js';
import { WireError } from '../values/wire-error.js';
import { noAccess } from './access.js';
import type { ConnectionAnswer, ConnectionFacts, ConnectionStage } from './answers.js';
import { ask } from './asking.js';
import { Authentication, type AuthenticationMethod } from './authentication.js';
import type { SessionInside } from './inside.js';
import type { PublishedDatabase } from './published-database.js';
import { SessionHost, type HostedSession } from './session-host.js';
import {
  negotiateProtocol,
  noUser,
  readStartupParameters,
  sessionSettings,
  unsupportedProtocol,
  type StartupRequest,
} from './startup.js';
import { isLoopback, type Wire } from './wire.js';

export interface Admission {
  readonly facts: ConnectionFacts;
  readonly sql: SqlSession;
  /** Null for a physical walsender. */
  readonly database: PublishedDatabase | null;
}

/** The session as its entrance sees it. */
export interface EntranceSession extends SessionInside, HostedSession {
  /** What the client is allowed to be from now on; its connection counts. */
  request: StartupRequest | undefined;
  /** Gives the key that a CancelRequest must carry. */
  takeKey(length: number): Uint8Array;
  admit(admission: Admission): void;
}

/** On which a client gets in. */
type Conditions = Extract<ConnectionAnswer, { readonly kind: 'refuseTls' | 'authenticate' }>;

/** A walsender without a database has no encoding to convert to. */
export function shownSetting(name: string, value: string, database: PublishedDatabase | null): string {
  return database === null && (name === 'client_encoding' || name === 'server_encoding') ? 'SQL_ASCII' : value;
}

/** authentication_timeout: milliseconds in which a client must have got in. */
const authenticationTimeout = 60_000;

const tlsHandshakeByte = 0x16;

export class Entrance {
  #stage: 'connecting' | 'packets' | 'handshake' | 'authenticating' | 'over' = 'connecting';
  #asked = { ssl: false, gss: false };
  #tls = false;
  #channelBinding: Uint8Array | null = null;
  #keyLength = 4;
  /** A handler's, from when the client connected: clients understand it only after their start-up packet. */
  #refusal: WireError | undefined;
  #request!: StartupRequest;
  #authentication!: Authentication;

  constructor(
    private readonly session: EntranceSession,
    private readonly wire: Wire,
    private readonly deframer: Deframer,
  ) {
    this.dueAt = session.clock.monotonic() + authenticationTimeout;
  }

  /** When the client's time is up, in monotonic milliseconds. */
  readonly dueAt: number;

  /** Takes one step; false when it needs more from the client. @throws WireError, FATAL whatever it says; BadFrameLength */
  take(): boolean {
    if (this.session.clock.monotonic() >= this.dueAt) return this.#timeOut();
    switch (this.#stage) {
      case 'connecting':
        this.#stage = 'packets';
        this.#ask('connect', () => undefined);
        return true;
      case 'packets':
        return this.#takePacket();
      case 'authenticating':
        return this.#takePassword();
      case 'handshake':
      case 'over':
        return false;
    }
  }

  /** The TLS handshake is done. @param channelBinding see ScramOptions */
  secured(channelBinding: Uint8Array | null): void {
    this.#tls = true;
    this.#asked = { ssl: true, gss: true };
    // 10 knows SCRAM, but no channel binding.
    this.#channelBinding = this.session.major >= 11 ? channelBinding : null;
    this.#stage = 'packets';
  }

  /** Who has not even said who it is gets no answer. */
  #timeOut(): boolean {
    if (this.#stage === 'authenticating') {
      throw new WireError({ severity: 'FATAL', code: '57014', message: 'canceling authentication due to timeout' });
    }
    this.session.end('authentication timeout', 'end');
    return false;
  }

  #takePacket(): boolean {
    const { deframer } = this;
    if (deframer.peek() === tlsHandshakeByte && !this.#asked.ssl) {
      if (this.session.major >= 17 && this.wire.canStartTls) this.#startTls(true);
      else this.session.end('TLS handshake without SSLRequest', 'end');
      return false;
    }
    const body = deframer.takeStartupPacket(startupPacketLimit);
    if (!body) return false;
    const packet = parseStartupPacket(body, this.#asked, this.session.major);
    if (packet) this.#receive(packet, body);
    else this.session.end('malformed CancelRequest', 'end');
    return true;
  }

  #receive(packet: StartupPacket, body: Uint8Array): void {
    const { session } = this;
    switch (packet.kind) {
      case 'cancelRequest':
        session.cluster.cancel(packet.pid, packet.key);
        session.end('cancel request', 'end');
        return;
      case 'gssEncRequest':
        this.#asked.gss = true;
        session.output.writer.text('N');
        return;
      case 'sslRequest':
        this.#asked.ssl = true;
        this.#ask('tls', (answer) => {
          const accepts = this.wire.canStartTls && answer?.kind !== 'refuseTls';
          session.output.writer.text(accepts ? 'S' : 'N');
          if (accepts) this.#startTls(false);
        });
        return;
      case 'startup':
        if (packet.version.major < 3) this.#refuseLegacy(packet, body);
        else this.#start(packet);
    }
  }

  #startTls(direct: boolean): void {
    const received = this.deframer.takeRest();
    if (!direct && received.length > 0) {
      // Sent in clear before the handshake: a client's bug, or somebody in between.
      this.session.end('data after SSLRequest', 'end');
      return;
    }
    this.#stage = 'handshake';
    this.session.output.flush();
    this.wire.startTls(direct, received);
  }

  /** Protocol 2, which 10 to 13 still spoke and this server does not. Its errors are plain text. */
  #refuseLegacy({ version }: Extract<StartupPacket, { kind: 'startup' }>, body: Uint8Array): void {
    const { session } = this;
    // Version 0 gets a message all the same.
    if (version.major === 0 && session.major >= 14) throw unsupportedProtocol(0, version.minor, session.major);
    // The user's name follows the code and 64 bytes of database name.
    const lacksUser = version.major === 2 && session.major < 14 && (body[68] ?? 0) === 0;
    const error = lacksUser ? noUser() : unsupportedProtocol(version.major, version.minor, session.major);
    session.observe({ kind: 'error:sent', error });
    legacyError(session.output.writer, error);
    session.end(error.message, 'end');
  }

  #start({ version, parameters }: Extract<StartupPacket, { kind: 'startup' }>): void {
    const { session } = this;
    const { major, output, cluster } = session;
    const protocol = negotiateProtocol(version, parameters, major);
    this.#keyLength = protocol.version >= ((3 << 16) | 2) ? 32 : 4;
    const request = readStartupParameters(parameters);
    if (protocol.differs) negotiateProtocolVersion(output.writer, protocol.version, protocol.unrecognized);
    this.#request = request;
    session.observe({
      kind: 'startup',
      user: request.user,
      database: request.database,
      replication: request.replication,
      parameters: request.parameters,
      tls: this.#tls,
    });
    if (this.#refusal) throw this.#refusal;
    cluster.assertAccepting();
    if (major >= 12 || request.replication === 'off') this.#count();
    this.#ask('auth', (answer) => {
      if (answer?.kind === 'authenticate') this.#authenticate(answer.method, answer.mechanisms);
      else this.#authenticate(cluster.config.authentication ?? 'trust');
    });
  }

  /** The connection takes its place among those allowed. @throws WireError FATAL 53300 */
  #count(): void {
    this.session.cluster.assertRoomFor(this.#request.replication);
    this.session.request = this.#request;
  }

  #authenticate(method: AuthenticationMethod, mechanisms?: readonly string[]): void {
    const { session } = this;
    const { cluster, peer, output } = session;
    const { user, database, replication } = this.#request;
    if (method === 'trust' && !isLoopback(peer) && cluster.config.allowRemoteTrust !== true) {
      throw noAccess({ host: peer.address ?? '', user, database, replication, tls: this.#tls }, session.major);
    }
    this.#authentication = new Authentication({
      method,
      user,
      password: cluster.config.users?.get(user) ?? null,
      channelBinding: this.#channelBinding,
      ...(mechanisms && { mechanisms }),
      random: cluster.config.random,
    });
    if (this.#authentication.begin(output.writer)) this.#enter();
    else this.#stage = 'authenticating';
  }

  #takePassword(): boolean {
    const type = this.deframer.peek();
    const body = this.deframer.takeMessage(authenticationMessageLimit);
    if (type === undefined || !body) return false;
    if (this.#authentication.receive(this.session.output.writer, type, body)) this.#enter();
    return true;
  }

  /** The client is who it says. What it asked for is looked at only now, as the server does. */
  #enter(): void {
    const { session } = this;
    const { cluster, major, pid, output } = session;
    const { writer } = output;
    const { user, replication } = this.#request;
    this.#stage = 'over';
    authenticationOk(writer);
    const role = cluster.role(user);
    if (!role) throw new WireError({ severity: 'FATAL', code: '28000', message: `role "${user}" does not exist` });
    if (major < 12 && replication !== 'off') this.#count();
    const database = replication === 'physical' ? null : cluster.database(this.#request.database);
    if (database === undefined) {
      throw new WireError({
        severity: 'FATAL',
        code: '3D000',
        message: `database "${this.#request.database}" does not exist`,
      });
    }
    const settings = sessionSettings(this.#request);
    const host = new SessionHost(cluster, database ?? cluster.mainDatabase, session);
    const sql = cluster.config.sql.createSession({ host, pid, user, database: database?.name ?? '', settings });
    for (const [parameter, value] of sql.reportedParameters()) {
      parameterStatus(writer, parameter, shownSetting(parameter, value, database));
    }
    backendKeyData(writer, pid, session.takeKey(this.#keyLength));
    this.#ask('ready', () => {
      readyForQuery(writer, 'I');
      session.admit({ facts: this.#facts(), sql, database });
    });
  }

  /** Lets the handlers have the first say at a stage. Errors and the end of the connection are dealt with here. */
  #ask(stage: ConnectionStage, then: (answer: Conditions | undefined) => void): void {
    const { session } = this;
    const { cluster, pid, peer } = session;
    const facts = stage === 'auth' || stage === 'ready' ? this.#facts() : { pid, peer };
    ask(session, cluster.config.answers?.connection?.(stage, facts), (answer) => {
      if (answer?.kind === 'disconnect') session.end('handler', answer.how);
      else if (answer?.kind === 'outputs') throw new TypeError(`"${stage}" is not answered with outputs`);
      else if (answer?.kind !== 'error') then(answer);
      else if (stage === 'connect') this.#refusal = answer.error;
      else throw answer.error;
    });
  }

  #facts(): ConnectionFacts {
    const { pid, peer } = this.session;
    const { user, database, replication, parameters } = this.#request;
    return { pid, peer, user, database, replication, parameters, tls: this.#tls };
  }
}
