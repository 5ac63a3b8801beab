/** Functions about the session and the server (manual chapters "System Information" and "System Administration"). */
import { printArray } from '../../postgres/index.js';
import type { Value } from '../expression/expression.js';
import { NotEmulated, sqlError } from '../failure.js';
import { printTimestamptz } from '../types/time-values.js';
import { WireError } from '../../values/wire-error.js';
import { functions, functionsOnNull, setFunctions, volatileFunctions, type Call } from './definition.js';
import type { BackendState } from '../host.js';

function array(elements: readonly string[]): string {
  return printArray({ lengths: [elements.length], lowerBounds: [1], elements }, ',');
}

/** pg_catalog is searched first, named or not. */
function schemas({ context }: Call, withImplicit: string): string {
  const path = context.session.searchPath(context.catalog);
  return array(withImplicit === 't' ? ['pg_catalog', ...path] : path);
}

function currentSetting({ context }: Call, name: string): Value {
  return context.session.settings.show(name).value;
}

function setConfig({ context }: Call, name: Value, value: Value, isLocal: Value): Value {
  if (name === null) throw sqlError('22004', 'SET requires parameter name');
  const { settings } = context.session;
  if (value === null) settings.reset(name, isLocal === 't');
  else settings.set(name, value, isLocal === 't');
  return settings.show(name).value;
}

const lockKey = (key: string): string => BigInt(key).toString();
const pairKey = (first: string, second: string): string => `${first},${second}`;

/** Waits until the lock is free. */
function lock(call: Call, key: string, isShared: boolean, scope: 'session' | 'transaction'): Value {
  const { locks, pid, settings } = call.context.session;
  if (locks.tryLock(key, pid, isShared, scope)) return '';
  const timeout = Number(settings.value('lock_timeout'));
  call.context.session.wait({ kind: 'lock', timeout, whenFree: (listener) => locks.whenFree(listener) }, `lock ${key}`);
  return lock(call, key, isShared, scope);
}

function tryLock({ context }: Call, key: string, isShared: boolean, scope: 'session' | 'transaction'): Value {
  return context.session.locks.tryLock(key, context.session.pid, isShared, scope) ? 't' : 'f';
}

function unlock({ context }: Call, key: string, isShared: boolean): Value {
  if (context.session.locks.unlock(key, context.session.pid, isShared)) return 't';
  context.session.notice(warning(`you don't own a lock of type ${isShared ? 'ShareLock' : 'ExclusiveLock'}`));
  return 'f';
}

type LockBody = (call: Call, key: string) => Value;

/** One key of 64 bits, or two of 32. */
function forms(name: string, result: string, body: LockBody): Record<string, (call: Call, ...keys: string[]) => Value> {
  return {
    [`${name}(int8) ${result}`]: (call, key) => body(call, lockKey(key)),
    [`${name}(int4, int4) ${result}`]: (call, first, second) => body(call, pairKey(first, second)),
  };
}

function warning(message: string): WireError {
  return new WireError({ severity: 'WARNING', code: '01000', message });
}

function requireTimeout(milliseconds: string): void {
  if (BigInt(milliseconds) > 0n) throw new NotEmulated('pg_terminate_backend with a timeout');
}

function terminate({ context }: Call, pid: string): Value {
  if (context.host.terminateBackend(Number(pid))) return 't';
  context.session.notice(
    warning(`PID ${pid} is not a PostgreSQL ${context.major >= 15 ? 'backend' : 'server'} process`),
  );
  return 'f';
}

function cancel({ context }: Call, pid: string): Value {
  if (context.host.cancelBackend(Number(pid))) return 't';
  context.session.notice(
    warning(`PID ${pid} is not a PostgreSQL ${context.major >= 15 ? 'backend' : 'server'} process`),
  );
  return 'f';
}

const encodings = ['SQL_ASCII', 'EUC_JP', 'EUC_CN', 'EUC_KR', 'EUC_TW', 'EUC_JIS_2004', 'UTF8'];

export const sessionFunctions = [
  functions({
    'version() text': ({ context }) =>
      `PostgreSQL ${context.host.server.version} on x86_64-pc-linux-gnu, compiled by gcc (GCC) 12.2.0, 64-bit`,
    'current_setting(text) text': currentSetting,
    'current_database() name': ({ context }) => context.session.database,
    'current_schema() name': ({ context }) => context.session.searchPath(context.catalog)[0] ?? null,
    'current_schemas(bool) _name': schemas,
    'current_user() name': ({ context }) => context.session.user,
    'session_user() name': ({ context }) => context.session.user,
    'getpgusername() name': ({ context }) => context.session.user,
    'current_query() text': ({ context }) => context.session.queryText,
    'pg_backend_pid() int4': ({ context }) => String(context.session.pid),
    'pg_postmaster_start_time() timestamptz': ({ context }) => printTimestamptz(context.host.startedAt),
    'pg_conf_load_time() timestamptz': ({ context }) => printTimestamptz(context.host.startedAt),
    'pg_is_in_recovery() bool': () => 'f',
    'pg_client_encoding() name': ({ context }) => context.session.settings.value('client_encoding') ?? null,
    'getdatabaseencoding() name': () => 'UTF8',
    'pg_encoding_to_char(int4) name': (_, number) => encodings[Number(number)] ?? '',
    'pg_char_to_encoding(name) int4': (_, name) =>
      String(encodings.indexOf(name.toUpperCase().replace(/^UTF-8$/, 'UTF8'))),
    'pg_my_temp_schema() oid': () => '0',
    'pg_is_other_temp_schema(oid) bool': () => 'f',
    'pg_trigger_depth() int4': () => '0',
    '[11-]pg_jit_available() bool': () => 'f',
    'pg_blocking_pids(int4) _int4': () => '{}',
    'inet_server_port() int4': ({ context }) => context.session.settings.value('port') ?? null,
    'inet_client_port() int4': (call) => own(call)?.clientPort?.toString() ?? null,
    'inet_client_addr() inet': (call) => own(call)?.clientAddress ?? null,
    'inet_server_addr() inet': (call) => own(call)?.clientAddress ?? null,
  }),
  functionsOnNull({
    'current_setting(text, bool) text': (call, name, missingOk) => {
      if (name === null || missingOk === null) return null;
      try {
        return currentSetting(call, name);
      } catch (error) {
        if (missingOk === 't') return null;
        throw error;
      }
    },
    'set_config(text, text, bool) text': (call, name, value, isLocal) => setConfig(call, name, value, isLocal),
    'pg_typeof(any) regtype': ({ argumentTypes }) => String(argumentTypes[0]),
  }),
  volatileFunctions({
    'pg_cancel_backend(int4) bool': cancel,
    '[-13]pg_terminate_backend(int4) bool': terminate,
    '[14-]pg_terminate_backend(pid int4, timeout int8 = 0) bool': (call, pid, timeout) => {
      requireTimeout(timeout);
      return terminate(call, pid);
    },
    'pg_reload_conf() bool': () => 't',
    'pg_stat_clear_snapshot() void': () => '',
    ...forms('pg_advisory_lock', 'void', (call, key) => lock(call, key, false, 'session')),
    ...forms('pg_advisory_lock_shared', 'void', (call, key) => lock(call, key, true, 'session')),
    ...forms('pg_advisory_xact_lock', 'void', (call, key) => lock(call, key, false, 'transaction')),
    ...forms('pg_advisory_xact_lock_shared', 'void', (call, key) => lock(call, key, true, 'transaction')),
    ...forms('pg_try_advisory_lock', 'bool', (call, key) => tryLock(call, key, false, 'session')),
    ...forms('pg_try_advisory_lock_shared', 'bool', (call, key) => tryLock(call, key, true, 'session')),
    ...forms('pg_try_advisory_xact_lock', 'bool', (call, key) => tryLock(call, key, false, 'transaction')),
    ...forms('pg_try_advisory_xact_lock_shared', 'bool', (call, key) => tryLock(call, key, true, 'transaction')),
    ...forms('pg_advisory_unlock', 'bool', (call, key) => unlock(call, key, false)),
    ...forms('pg_advisory_unlock_shared', 'bool', (call, key) => unlock(call, key, true)),
    'pg_advisory_unlock_all() void': ({ context }) => {
      context.session.locks.release(context.session.pid);
      return '';
    },
    // Nobody can listen: LISTEN is refused.
    'pg_notify(text, text) void': () => '',
  }),
  setFunctions({
    'pg_listening_channels() setof text': () => [],
  }),
];

function own({ context }: Call): BackendState | undefined {
  return context.host.backends().find(({ pid }) => pid === context.session.pid);
}
