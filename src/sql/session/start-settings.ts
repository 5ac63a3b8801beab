/** The settings that a session begins with: the configuration, what the connection is, what its start-up packet asks for. */
import { WireError } from '../../values/wire-error.js';
import type { SessionOptions } from '../engine.js';
import { wireErrorOf } from '../failure.js';
import { SessionSettings } from './session-settings.js';

/** @throws WireError, FATAL, for settings of the start-up packet that the server refuses */
export function startSettings({ host, user, settings }: SessionOptions): SessionSettings {
  const { major, version } = host.server;
  const role = host.roles.find(({ name }) => name === user);
  const isSuperuser = role?.superuser ?? true;
  const fixed = new Map([
    ['server_version', version],
    ['server_version_num', versionNumber(version, major)],
    ['session_authorization', user],
    ['is_superuser', isSuperuser ? 'on' : 'off'],
    ['role', 'none'],
    ['in_hot_standby', 'off'],
    ['transaction_isolation', 'read committed'],
  ]);
  try {
    const made = new SessionSettings({ major, configuration: host.configuration, fixed, isSuperuser });
    for (const [name, value] of settings) made.start(name, value);
    return made;
  } catch (error) {
    const refused = wireErrorOf(error, '');
    if (refused === undefined) throw error;
    const { code, message, detail, hint } = refused;
    throw new WireError({
      severity: 'FATAL',
      code,
      message,
      ...(detail === undefined ? {} : { detail }),
      ...(hint === undefined ? {} : { hint }),
    });
  }
}

/** 17.4 is 170004. */
function versionNumber(version: string, major: number): string {
  const minor = /^\d+\.(\d+)/.exec(version)?.[1] ?? '0';
  return String(major * 10_000 + Number(minor));
}
