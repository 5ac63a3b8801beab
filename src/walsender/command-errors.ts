/** Refusals of the walsender's commands, by major. Those about slots are in slot-errors.ts. */
import { WireError } from '../values/wire-error.js';
import { settingName } from './slot-errors.js';

export function requiresWalLevel(major: number): WireError {
  const level = major >= 17 ? '"logical"' : 'logical';
  return notReady(`logical decoding requires ${settingName('wal_level', major)} >= ${level}`);
}

export function requiresSlots(major: number): WireError {
  return notReady(`replication slots can only be used if ${settingName('max_replication_slots', major)} > 0`);
}

export function notReady(message: string): WireError {
  return new WireError({ code: '55000', message });
}

export function inTransactionBlock(command: string): WireError {
  return new WireError({ code: '25001', message: `${command} cannot run inside a transaction block` });
}

export function pluginMissing(plugin: string): WireError {
  return new WireError({ code: '58P01', message: `could not access file "${plugin}": No such file or directory` });
}

/** What only a server with real WAL can do. */
export function unsupportedCommand(what: string): WireError {
  return new WireError({
    code: '0A000',
    message: `${what} is not supported by fake-walsender`,
    hint: 'There is no physical WAL behind it: use START_REPLICATION SLOT … LOGICAL.',
  });
}

/** An error with the context line of the output plugin's startup. */
export function inStartupCallback(error: WireError, slot: string): WireError {
  return new WireError({
    severity: error.severity,
    code: error.code,
    message: error.message,
    ...(error.detail !== undefined && { detail: error.detail }),
    ...(error.hint !== undefined && { hint: error.hint }),
    where: `slot "${slot}", output plugin "pgoutput", in the startup callback`,
  });
}
