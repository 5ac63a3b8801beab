import type { OnUnhandledQuery } from './unhandled.js';

/** Options of `server.listen`. */
export interface ListenOptions {
  /** Default `error`. */
  readonly onUnhandledQuery?: OnUnhandledQuery;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: any free one. */
  readonly port?: number;
  /** Offer TLS, with a certificate made now unless the scenario names one. */
  readonly tls?: boolean;
  /** The emulated server where no scenario says so: `15`, `17.4`. Default 18. */
  readonly serverVersion?: string;
  /** A real server, `postgres://…`, that `bypass` asks. */
  readonly upstream?: string;
}
