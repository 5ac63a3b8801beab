/** `connection(…)`: who is let in. */
import type { ConnectionAnswer, ConnectionFacts, ConnectionStage } from '../walsender/answers.js';
import type { Asked, HandlerOptions, Resolver } from './handler.js';
import { disconnect, error, passthrough } from './response.js';
import { callerOf } from './source-line.js';

/** What a resolver of `connection` answers: outputs have no place there. */
export type ConnectionResponse = Exclude<ConnectionAnswer, { readonly kind: 'outputs' }>;

interface FactsAt {
  readonly connect: Pick<ConnectionFacts, 'pid' | 'peer'>;
  readonly tls: Pick<ConnectionFacts, 'pid' | 'peer'>;
  readonly auth: ConnectionFacts;
  readonly ready: ConnectionFacts;
}
/** What a resolver of `connection` gets to see: who connects comes with `auth`. */
export type ConnectionInfo<S extends ConnectionStage = 'auth'> = FactsAt[S];

/** What `connection` makes. */
export interface ConnectionHandler extends Asked<never, ConnectionResponse> {
  readonly kind: 'connection';
  readonly stage: ConnectionStage;
}

function defineConnection(
  resolver: Resolver<ConnectionInfo, ConnectionResponse>,
  options?: HandlerOptions,
): ConnectionHandler;
function defineConnection<S extends ConnectionStage>(
  stage: S,
  resolver: Resolver<ConnectionInfo<S>, ConnectionResponse>,
  options?: HandlerOptions,
): ConnectionHandler;
function defineConnection(
  first: ConnectionStage | Resolver<ConnectionInfo, ConnectionResponse>,
  second: Resolver<never, ConnectionResponse> | HandlerOptions = {},
  third: HandlerOptions = {},
): ConnectionHandler {
  const [stage, resolver, { once = false }] =
    typeof first === 'string'
      ? [first, second as Resolver<never, ConnectionResponse>, third]
      : (['auth', first as Resolver<never, ConnectionResponse>, second as HandlerOptions] as const);
  return {
    kind: 'connection',
    title: `connection('${stage}')`,
    source: callerOf(defineConnection),
    stage,
    resolver,
    once,
  };
}

/**
 * Looks at connections: `connection.error(…)` refuses one, `connection.disconnect(…)` hangs up, undefined lets it in.
 * @param stage `connect`: before anything is read; `tls`: when the client asks for it; `auth` (where absent): when user, database
 *   and parameters are known, and before a password is asked for; `ready`: just before the first query is taken
 */
export const connection = Object.assign(defineConnection, {
  /** ErrorResponse: the client is not let in. */
  error,
  /** Hangs up. */
  disconnect,
  /** The server decides itself. */
  passthrough,
  /** At `tls`: there is none. */
  refuseTls: (): ConnectionResponse => ({ kind: 'refuseTls' }),
  /** At `auth`: the client is asked for this. @param mechanisms of SASL */
  authenticate: (
    method: Extract<ConnectionAnswer, { readonly kind: 'authenticate' }>['method'],
    mechanisms?: readonly string[],
  ): ConnectionResponse => ({ kind: 'authenticate', method, ...(mechanisms && { mechanisms }) }),
});
