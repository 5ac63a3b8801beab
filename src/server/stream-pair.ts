import { duplexPair, type Duplex } from 'node:stream';

/** The two ends of a connection without a port. The server's is destroyed when the client's closes, as a socket would notice. */
export function streamPair(): { readonly client: Duplex; readonly server: Duplex } {
  const [client, server] = duplexPair();
  client.once('close', () => server.destroy());
  return { client, server };
}
