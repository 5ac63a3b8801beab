/** `connection(…)`: who is let in. */
import type { ConnectionFacts } from '../walsender/answers.js';
import type { Asked, HandlerOptions, Resolver } from './handler.js';
import { disconnect, error, passthrough } from './response.js';
import { callerOf } from './source-line.js';

/** `connect`: before anything is read; `tls`: when a client asks for TLS; `auth`: before it is asked for a password. */
export type ConnectionStage = 'connect' | 'tls' | 'auth';

interface FactsAt {
  readonly connect: Pick<ConnectionFacts, 'pid' | 'peer'>;
  readonly tls: Pick<ConnectionFacts, 'pid' | 'peer'>;
  readonly auth: ConnectionFacts;
}
export type ConnectionInfo<S extends ConnectionStage = 'auth'> = FactsAt[S];

export interface ConnectionHandler extends Asked<never> {
  readonly kind: 'connection';
  readonly stage: ConnectionStage;
}

function defineConnection(resolver: Resolver<ConnectionInfo>, options?: HandlerOptions): ConnectionHandler;
function defineConnection<S extends ConnectionStage>(
  stage: S,
  resolver: Resolver<ConnectionInfo<S>>,
  options?: HandlerOptions,
): ConnectionHandler;
function defineConnection(
  first: ConnectionStage | Resolver<ConnectionInfo>,
  second: Resolver<never> | HandlerOptions = {},
  third: HandlerOptions = {},
): ConnectionHandler {
  const [stage, resolver, { once = false }] =
    typeof first === 'string'
      ? [first, second as Resolver<never>, third]
      : (['auth', first as Resolver<never>, second as HandlerOptions] as const);
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
 * @param stage `auth` where absent: when user, database and parameters are known
 */
export const connection = Object.assign(defineConnection, { error, disconnect, passthrough });
