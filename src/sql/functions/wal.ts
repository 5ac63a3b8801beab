/** Functions about WAL (manual chapter "System Administration Functions", backup and recovery). */
import { formatLsn, parseLsn } from '../../values/lsn.js';
import { NotEmulated, sqlError } from '../failure.js';
import { functions, rowFunctions, volatileFunctions, type Call } from './definition.js';

/** pg_lsn's text is longer from 19 on. */
const position = ({ context }: Call): string => formatLsn(context.host.walPosition(), context.major);

const segmentSize = 16n * 1024n * 1024n;
const segmentsPerLog = 0x1_0000_0000n / segmentSize;

function hex(value: bigint | number): string {
  return value.toString(16).toUpperCase().padStart(8, '0');
}

/** A position at the very start of a segment is in the one before (up to 16). */
function fileName({ context }: Call, lsn: string): { name: string; offset: string } {
  const at = parseLsn(lsn);
  const segment = context.major >= 17 || at === 0n ? at / segmentSize : (at - 1n) / segmentSize;
  const name = hex(context.host.server.timelineId) + hex(segment / segmentsPerLog) + hex(segment % segmentsPerLog);
  return { name, offset: String(at - segment * segmentSize) };
}

function notInRecovery(): never {
  throw sqlError('55000', 'recovery is not in progress', undefined, {
    hint: 'Recovery control functions can only be executed during recovery.',
  });
}

const utf8 = new TextEncoder();

function emit({ context }: Call, transactional: string, prefix: string, content: Uint8Array): string {
  const { session, host } = context;
  const lsn = transactional === 't' ? session.writing.message(prefix, content) : host.writeMessage(prefix, content);
  return formatLsn(lsn, context.major);
}

function bytesOf(bytea: string): Uint8Array {
  return Uint8Array.from(bytea.slice(2).match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

const controlVersions = [1002, 1100, 1201, 1300, 1300, 1300, 1300, 1700, 1800];
const catalogVersions = [
  ...[201_707_211, 201_809_051, 201_909_212, 202_007_201, 202_107_181, 202_209_061, 202_307_071],
  ...[202_406_281, 202_506_291],
];

export const walFunctions = [
  functions({
    'pg_current_wal_lsn() pg_lsn': position,
    'pg_current_wal_insert_lsn() pg_lsn': position,
    'pg_current_wal_flush_lsn() pg_lsn': position,
    'pg_last_wal_receive_lsn() pg_lsn': () => null,
    'pg_last_wal_replay_lsn() pg_lsn': () => null,
    'pg_last_xact_replay_timestamp() timestamptz': () => null,
    'pg_wal_lsn_diff(pg_lsn, pg_lsn) numeric': (_, a, b) => (parseLsn(a) - parseLsn(b)).toString(),
    'pg_walfile_name(pg_lsn) text': (call, lsn) => fileName(call, lsn).name,
    'pg_is_wal_replay_paused() bool': notInRecovery,
    '[14-]pg_get_wal_replay_pause_state() text': notInRecovery,
    'pg_current_logfile() text': () => null,
  }),
  volatileFunctions({
    'pg_switch_wal() pg_lsn': position,
    '[16-]pg_log_standby_snapshot() pg_lsn': position,
    'pg_create_restore_point(text) pg_lsn': position,
    '[-16]pg_logical_emit_message(bool, text, text) pg_lsn': (call, transactional, prefix, content) =>
      emit(call, transactional, prefix, utf8.encode(content)),
    '[-16]pg_logical_emit_message(bool, text, bytea) pg_lsn': (call, transactional, prefix, content) =>
      emit(call, transactional, prefix, bytesOf(content)),
    '[17-]pg_logical_emit_message(transactional bool, prefix text, message text, flush bool = f) pg_lsn': (
      call,
      transactional,
      prefix,
      content,
    ) => emit(call, transactional, prefix, utf8.encode(content)),
    '[17-]pg_logical_emit_message(transactional bool, prefix text, message bytea, flush bool = f) pg_lsn': (
      call,
      transactional,
      prefix,
      content,
    ) => emit(call, transactional, prefix, bytesOf(content)),
  }),
  rowFunctions({
    'pg_walfile_name_offset(pg_lsn) (file_name text, file_offset int4)': (call, lsn) => {
      const { name, offset } = fileName(call, lsn);
      return [name, offset];
    },
    'pg_control_system() (pg_control_version int4, catalog_version_no int4, system_identifier int8, pg_control_last_modified timestamptz)':
      ({ context }) => {
        const at = context.major - 10;
        if (controlVersions[at] === undefined) throw new NotEmulated(`pg_control_system() of major ${context.major}`);
        return [String(controlVersions[at]), String(catalogVersions[at]), context.host.server.systemId, null];
      },
  }),
];
