import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { serialize } from 'pg-protocol';
import { ConnectionError } from './connection-error.js';
import type { Target } from './target.js';

/** A socket that is ready for the StartupMessage: connected, and encrypted as the target's sslMode says. */
export async function openSocket(target: Target, signal: AbortSignal): Promise<Socket> {
  const socket = connectTcp({ host: target.host, port: target.port, noDelay: true });
  try {
    await once(socket, 'connect', signal);
    if (target.sslMode === 'disable') return socket;
    socket.write(serialize.requestSsl());
    const [answer] = (await once(socket, 'data', signal)) as [Buffer];
    if (answer.length !== 1) throw new ConnectionError('the server answered SSLRequest with more than one byte');
    if (answer.toString() === 'N') {
      if (target.sslMode !== 'prefer')
        throw new ConnectionError(`sslmode is ${target.sslMode}, but the server does not do TLS`);
      return socket;
    }
    if (answer.toString() !== 'S')
      throw new ConnectionError(`the server answered SSLRequest with byte 0x${answer.toString('hex')}`);
    const secure = connectTls({
      socket,
      // A server name must not be an address (RFC 6066).
      ...(isIP(target.host) ? {} : { servername: target.host }),
      // As libpq: only verify-* look at the certificate.
      rejectUnauthorized: target.sslMode === 'verify-full',
    });
    await once(secure, 'secureConnect', signal);
    return secure;
  } catch (error) {
    socket.destroy();
    throw signal.aborted
      ? new ConnectionError(`no connection to ${target.host}:${target.port} in time`)
      : ConnectionError.from(error);
  }
}

/** The event's arguments; rejects on an error, a close, or when time is up. After data the socket is paused, so that no byte is lost. */
function once(socket: Socket, event: string, signal: AbortSignal): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      socket.off(event, onEvent).off('error', onError).off('close', onClose);
      signal.removeEventListener('abort', onAbort);
    };
    const onEvent = (...values: unknown[]): void => {
      stop();
      if (event === 'data') socket.pause();
      resolve(values);
    };
    const onError = (error: Error): void => (stop(), reject(error));
    const onClose = (): void => (stop(), reject(new ConnectionError('the server closed the connection')));
    const onAbort = (): void => (stop(), reject(new ConnectionError('no time left')));
    socket.on(event, onEvent).on('error', onError).on('close', onClose);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
  });
}
