/** What a StartupMessage asks for (manual: "Start-up", "Passing Protocol Options"), by server major. */
import type { ProtocolVersion } from '../protocol/startup-packet.js';
import { WireError } from '../values/wire-error.js';
import type { ReplicationMode } from './events.js';

export interface NegotiatedProtocol {
  /** As in a StartupMessage: major << 16 | minor. */
  readonly version: number;
  /** Protocol options (`_pq_.…`) that this server does not know. */
  readonly unrecognized: readonly string[];
  /** NegotiateProtocolVersion must tell the client. */
  readonly differs: boolean;
}

export interface StartupRequest {
  readonly user: string;
  /** Empty for a physical walsender, whatever it asked for. */
  readonly database: string;
  readonly replication: ReplicationMode;
  /** Everything else: settings for the session, and `options`, as sent. */
  readonly parameters: ReadonlyMap<string, string>;
}

function fatal(code: string, message: string, hint?: string): WireError {
  return new WireError({ severity: 'FATAL', code, message, ...(hint !== undefined && { hint }) });
}

/** @throws WireError FATAL 0A000 for what this server does not speak. */
export function negotiateProtocol(
  { major: requestedMajor, minor }: ProtocolVersion,
  parameters: ReadonlyMap<string, string>,
  major: number,
): NegotiatedProtocol {
  const latestMinor = major >= 18 ? 2 : 0;
  if (requestedMajor !== 3) throw unsupportedProtocol(requestedMajor, minor, major);
  const unrecognized = [...parameters.keys()].filter((name) => name.startsWith('_pq_.'));
  // Servers up to 17 answer with their own version, whatever minor was asked for.
  const version = (3 << 16) | Math.min(minor, latestMinor);
  return { version, unrecognized, differs: minor > latestMinor || unrecognized.length > 0 };
}

export function unsupportedProtocol(requestedMajor: number, minor: number, major: number): WireError {
  const range = major >= 18 ? '3.0 to 3.2' : major >= 14 ? '3.0 to 3.0' : '2.0 to 3.0';
  return fatal('0A000', `unsupported frontend protocol ${requestedMajor}.${minor}: server supports ${range}`);
}

/** @throws WireError FATAL 22023, 28000. */
export function readStartupParameters(sent: ReadonlyMap<string, string>): StartupRequest {
  const parameters = new Map<string, string>();
  let replication: ReplicationMode = 'off';
  for (const [name, value] of sent) {
    if (name === 'replication') replication = replicationMode(value);
    else if (name !== 'user' && name !== 'database' && !name.startsWith('_pq_.')) parameters.set(name, value);
  }
  const user = sent.get('user') ?? '';
  if (user === '') throw noUser();
  const asked = sent.get('database') ?? '';
  const database = replication === 'physical' ? '' : asked === '' ? user : asked;
  return { user, database, replication, parameters };
}

/** What the session starts with: settings inside `options` first, then those named. @throws WireError FATAL 42601. */
export function sessionSettings({ parameters }: StartupRequest): ReadonlyMap<string, string> {
  const settings = new Map(commandLineSettings(parameters.get('options') ?? ''));
  for (const [name, value] of parameters) {
    if (name !== 'options') settings.set(name, value);
  }
  return settings;
}

export function noUser(): WireError {
  return fatal('28000', 'no PostgreSQL user name specified in startup packet');
}

function replicationMode(value: string): ReplicationMode {
  if (value === 'database') return 'logical';
  const flag = parseBoolean(value);
  if (flag !== undefined) return flag ? 'physical' : 'off';
  const message = `invalid value for parameter "replication": "${value}"`;
  throw fatal('22023', message, 'Valid values are: "false", 0, "true", 1, "database".');
}

/** Words of the configuration file, any unique beginning of them, in any case. */
function parseBoolean(text: string): boolean | undefined {
  const word = text.toLowerCase();
  if (word === '') return undefined;
  if (word === '1' || word === 'on' || 'true'.startsWith(word) || 'yes'.startsWith(word)) return true;
  if (word === '0' || word === 'of' || word === 'off' || 'false'.startsWith(word) || 'no'.startsWith(word))
    return false;
  return undefined;
}

/** `-c name=value` and `--name=value`, split at blanks; a backslash keeps the next character as it is. */
function commandLineSettings(options: string): [name: string, value: string][] {
  const words = (options.match(/(?:\\[^]|[^\\\s])+/g) ?? []).map((word) => word.replace(/\\([^])/g, '$1'));
  const settings: [string, string][] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    const isLong = word.startsWith('--');
    if (!isLong && !word.startsWith('-c')) {
      const message = `invalid command-line argument for server process: ${word}`;
      throw fatal('42601', message, 'Try "postgres --help" for more information.');
    }
    const setting = word === '-c' ? (words[++i] ?? '') : word.slice(2);
    const equals = setting.indexOf('=');
    if (equals < 0) throw fatal('42601', `${isLong ? '--' : '-c '}${setting} requires a value`);
    settings.push([setting.slice(0, equals).replaceAll('-', '_'), setting.slice(equals + 1)]);
  }
  return settings;
}
