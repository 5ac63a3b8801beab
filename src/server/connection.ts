/** One connection and its session: carries bytes, keeps the session's one timer, and puts TLS in between when it is asked for. */
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Cluster } from '../walsender/cluster.js';
import { Session } from '../walsender/session.js';
import type { NetworkConditions, Wire } from '../walsender/wire.js';
import { Outlet } from './outlet.js';
import type { ServerClock } from './system-clock.js';
import { acceptTls, type TlsIdentity } from './tls.js';

/** After this time a peer that does not take its last bytes is cut off. */
const lingerMilliseconds = 10_000;
/** The same for a server that is shutting down, which must not outlast its clients by much. */
const lingerWhileStopping = 500;

/** Peers that find a reset right behind the last bytes take it for an end (libuv does), or lose the bytes. */
const resetGraceMilliseconds = 15;

export class Connection implements Wire {
  readonly session: Session;
  readonly closed: Promise<void>;
  #stream: Duplex;
  readonly #outlet: Outlet;
  #stopWaking: () => void = () => undefined;
  #lingerTimer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;
  #resolveClosed: () => void = () => undefined;
  /** The session is over, and the peer is not to notice. */
  #kept = false;
  /** TLS is not there yet: nothing can be said to the peer. */
  #inHandshake = false;

  constructor(
    private readonly cluster: Cluster,
    private readonly clock: ServerClock,
    /** A socket, or anything else that carries bytes both ways. */
    private readonly socket: Duplex,
    private readonly tls: TlsIdentity | undefined,
  ) {
    this.closed = new Promise((resolve) => (this.#resolveClosed = resolve));
    this.#stream = socket;
    this.#outlet = new Outlet(socket, clock, () => this.session.writable());
    const { remoteAddress: address = null, remotePort: port = null } = socket instanceof Socket ? socket : {};
    this.session = new Session(cluster, this, { address, port });
    socket.once('close', () => {
      this.session.peerLost('connection lost');
      // One that does not notice lives on until its time is over.
      if (this.session.ended) this.#forget();
      this.#outlet.close();
      this.#resolveClosed();
    });
    socket.on('error', () => socket.destroy());
    this.#listen(socket);
    this.session.tick();
  }

  // Wire

  get pending(): number {
    return this.#outlet.pending;
  }

  get canStartTls(): boolean {
    return this.tls !== undefined;
  }

  send(bytes: Uint8Array): boolean {
    return this.#outlet.send(bytes);
  }

  shape(conditions: NetworkConditions): void {
    this.#outlet.shape(conditions);
  }

  hold(milliseconds: number): void {
    this.#outlet.hold(milliseconds);
  }

  startTls(direct: boolean, received: Uint8Array): void {
    const { socket, tls } = this;
    if (!tls) throw new TypeError('TLS was not configured');
    // From here on the socket's bytes are the handshake's.
    this.#inHandshake = true;
    socket.pause();
    for (const event of ['data', 'end', 'drain']) socket.removeAllListeners(event);
    if (received.length > 0) socket.unshift(received);
    const secured = acceptTls(socket, tls);
    secured.once('secure', () => {
      this.#inHandshake = false;
      // Node decides about ALPN itself when the client offers some; a direct connection must offer it.
      if (direct && secured.alpnProtocol === false) socket.destroy();
      else this.session.secured(tls.channelBinding);
    });
    secured.on('error', () => socket.destroy());
    this.#stream = secured;
    this.#outlet.replace(secured);
    this.#listen(secured);
  }

  close(how: 'end' | 'reset' | 'keep'): void {
    this.#forget();
    if (this.#inHandshake) {
      this.socket.destroy();
      return;
    }
    if (how === 'reset') {
      // There may be nobody any more to reset, or nothing that it could overtake.
      if (this.socket.destroyed || this.pending > 0) this.#reset();
      else setTimeout(() => this.#reset(), resetGraceMilliseconds);
      return;
    }
    // What the client still sends is read away, so that the end reaches it rather than a reset.
    this.#stream.resume();
    if (how === 'keep') {
      this.#kept = true;
      if (this.cluster.stopping) this.hurry();
      return;
    }
    this.#outlet.end(() => this.#linger());
    if (this.cluster.stopping) this.hurry();
  }

  /** The server shuts down: a peer that has been told of its end, and does not end itself, is not waited for. */
  hurry(): void {
    if (!this.session.ended) return;
    if (this.#kept) this.socket.destroy();
    this.#outlet.hurry();
    this.#linger();
  }

  #reset(): void {
    if (this.socket instanceof Socket) this.socket.resetAndDestroy();
    else this.socket.destroy();
  }

  #linger(): void {
    clearTimeout(this.#lingerTimer);
    const brief = this.cluster.stopping && this.pending === 0;
    this.#lingerTimer = setTimeout(() => this.socket.destroy(), brief ? lingerWhileStopping : lingerMilliseconds);
    this.#lingerTimer.unref();
  }

  wakeAt(time: number | null): void {
    this.#stopWaking();
    this.#stopWaking = time === null ? () => undefined : this.clock.at(time, () => this.session.tick());
  }

  again(): void {
    this.#immediate ??= setImmediate(() => {
      this.#immediate = undefined;
      this.session.tick();
    });
  }

  readMore(wanted: boolean): void {
    if (wanted === this.#stream.isPaused()) {
      if (wanted) this.#stream.resume();
      else this.#stream.pause();
    }
  }

  #listen(stream: Duplex): void {
    stream.on('data', (chunk: Buffer) => this.session.receive(chunk));
    stream.on('end', () => {
      this.session.peerEnded();
      if (this.#kept) this.socket.destroy();
    });
    stream.on('drain', () => this.session.writable());
  }

  #forget(): void {
    this.#stopWaking();
    clearTimeout(this.#lingerTimer);
    clearImmediate(this.#immediate);
  }
}
