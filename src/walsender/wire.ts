/**
 * Between a session and whoever carries its bytes (server/ in earnest, a test by hand): the effects a session asks for. What
 * happens to a session is told by its methods. Neither side waits for the other.
 */

export interface Clock {
  /** Milliseconds that never go back: for timeouts. */
  monotonic(): number;
  /** Microseconds since 2000: for send times. */
  now(): bigint;
}

export interface Wire {
  /** @returns true when they have been taken; else the bytes are the wire's from now on, and will not be written to again */
  send(bytes: Uint8Array): boolean;
  /** Bytes sent that the peer has not taken; when they fall, `session.writable()` is due. */
  readonly pending: number;
  /** True when `startTls` can be asked for. */
  readonly canStartTls: boolean;
  /**
   * Shake hands as a TLS server, then call `session.secured()`. `direct`: the client began without asking; `received` is what it
   * sent so far, and the handshake must agree on ALPN `postgresql`.
   */
  startTls(direct: boolean, received: Uint8Array): void;
  /**
   * After what was sent: 'end' in good order, 'reset' at once and with what is pending lost; 'keep': nobody will send or read
   * any more, but the peer is not to notice.
   */
  close(how: 'end' | 'reset' | 'keep'): void;
  /** Call `session.tick()` at this time of the monotonic clock; null: no need to. Replaces the time asked for before. */
  wakeAt(time: number | null): void;
  /** Call `session.tick()` soon, once everything else had its turn. */
  again(): void;
  /** How the bytes travel that are sent from now on; undefined: as before. */
  shape(conditions: NetworkConditions): void;
  /** Nothing that is sent from now on leaves before so many milliseconds are over. */
  hold(milliseconds: number): void;
  /** False: the session has enough to do, hold back what comes. */
  readMore(wanted: boolean): void;
}

/** Undefined: as before. */
export interface NetworkConditions {
  /** Bytes per segment; Infinity: as they come. */
  readonly chunk: number | undefined;
  readonly delayMilliseconds: number | undefined;
  /** Bytes per second; Infinity: as fast as they come. */
  readonly bandwidth: number | undefined;
  /** Gathers what comes shortly one after the other. */
  readonly coalesce: boolean | undefined;
}

/** Who is at the other end. */
export interface Peer {
  /** Null where there is no network: the peer then counts as local. */
  readonly address: string | null;
  readonly port: number | null;
}

export function isLoopback({ address }: Peer): boolean {
  return address === null || /^(::1|127\.\d+\.\d+\.\d+|::ffff:127\.\d+\.\d+\.\d+)$/.test(address);
}
