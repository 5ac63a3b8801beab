/** The port of a mock: takes connections and hands each to the server that answers now. */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server as NetServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { CannotServe } from '../live/index.js';

export class FrontDoor {
  readonly #net: NetServer;

  /** @param enter may take its time: nothing is read from the connection before */
  constructor(private readonly enter: (stream: Duplex) => Promise<void>) {
    this.#net = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.take(socket));
  }

  /** @throws CannotServe */
  async listen(host: string, port: number): Promise<void> {
    this.#net.listen({ host, port });
    try {
      await once(this.#net, 'listening');
    } catch (error) {
      throw new CannotServe(`cannot listen on ${host}:${port}: ${(error as Error).message}`);
    }
    this.#net.on('error', (error) => console.error('[fake-walsender] a connection could not be accepted:', error));
  }

  get address(): AddressInfo {
    return this.#net.address() as AddressInfo;
  }

  take(stream: Duplex): void {
    // Whoever serves it listens for what matters; until then an error must not be nobody's.
    stream.on('error', () => stream.destroy());
    this.enter(stream).catch((error: unknown) => {
      console.error('[fake-walsender] a connection could not be served:', error);
      stream.destroy();
    });
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.#net.close(() => resolve()));
  }
}
