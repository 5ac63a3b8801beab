/** Options of verbs that stream from a server: where it is, and what of it is asked for. */
import type { Command } from 'commander';
import { ConnectionError, DatabaseError, parseTarget, type Target } from '../client/index.js';
import { DecodeError } from '../pgoutput/index.js';
import { collect } from './arguments.js';
import { addPluginOptions } from './client-options.js';
import { Exit } from './exit.js';
import type { Terminal } from './terminal.js';

export function addReplicationOptions(command: Command): Command {
  const said = addPluginOptions(command, 'protocol version (default: the lowest that has what is asked for)');
  return said
    .requiredOption('--url <url>', 'postgres://user:password@host:port/database; the password may stand in PGPASSWORD')
    .requiredOption('--slot <name>', 'replication slot')
    .requiredOption('--publication <name>', 'publication (repeatable)', collect);
}

/** @throws Exit for what is no URL */
export function targetOf(url: string, { environment }: Terminal): Target {
  try {
    const parsed = parseTarget(url);
    return { ...parsed, password: parsed.password ?? environment['PGPASSWORD'] };
  } catch (error) {
    throw new Exit(2, (error as Error).message);
  }
}

/** What the server did wrong, as the program ends with it; anything else as it is. */
export function asExit(error: unknown): unknown {
  if (error instanceof DatabaseError) return new Exit(1, describeRefusal(error));
  return error instanceof ConnectionError || error instanceof DecodeError ? new Exit(1, error.message) : error;
}

export function describeRefusal({ severity, message, code, detail, hint }: DatabaseError): string {
  return [`the server says ${severity}: ${message} (SQLSTATE ${code})`, detail, hint].filter(Boolean).join('\n  ');
}
