/** Where to connect: what a connection URL says, with libpq's meaning and defaults. */
import { userInfo } from 'node:os';

export type SslMode = 'disable' | 'prefer' | 'require' | 'verify-full';

export interface Target {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string | undefined;
  readonly database: string;
  readonly sslMode: SslMode;
  readonly applicationName: string;
}

const sslModes: readonly string[] = ['disable', 'prefer', 'require', 'verify-full'] satisfies SslMode[];

/**
 * Parses `postgres://user:password@host:port/database?sslmode=prefer&application_name=x` (manual: "Connection URIs").
 * Every part may be missing: user is then the operating system's, database the user's name, host localhost, port 5432.
 *
 * @throws Error if the text is no such URL, or has a parameter that is not understood.
 */
export function parseTarget(text: string): Target {
  const parts =
    /^postgres(?:ql)?:\/\/(?:([^:@/?]*)(?::([^@/?]*))?@)?(\[[^\]]*\]|[^:/?]*)(?::(\d*))?(?:\/([^?]*))?(?:\?(.*))?$/.exec(
      text,
    );
  // The text may hold a password: it is not repeated.
  if (!parts) throw new Error('a connection URL looks like postgres://user:password@host:port/database');
  const [, userPart, passwordPart, hostPart, portPart, databasePart, query] = parts;
  const port = portPart ? Number(portPart) : 5432;
  if (port < 1 || port > 65535) throw new Error(`port ${port} of the connection URL is not between 1 and 65535`);
  const user = decode(userPart) || userInfo().username;
  let sslMode: SslMode = 'prefer';
  let applicationName = 'fake-walsender';
  for (const [name, value] of new URLSearchParams(query)) {
    if (name === 'sslmode') sslMode = parseSslMode(value);
    else if (name === 'application_name') applicationName = value;
    else throw new Error(`parameter "${name}" of the connection URL is not known (sslmode, application_name)`);
  }
  return {
    host: decode(hostPart).replace(/^\[|\]$/g, '') || 'localhost',
    port,
    user,
    password: passwordPart === undefined ? undefined : decode(passwordPart),
    database: decode(databasePart) || user,
    sslMode,
    applicationName,
  };
}

function decode(part: string | undefined): string {
  try {
    return decodeURIComponent(part ?? '');
  } catch {
    throw new Error('the connection URL has a % that does not start a percent-encoded character');
  }
}

function parseSslMode(value: string): SslMode {
  if (!sslModes.includes(value)) throw new Error(`sslmode "${value}" is not one of ${sslModes.join(', ')}`);
  return value as SslMode;
}
