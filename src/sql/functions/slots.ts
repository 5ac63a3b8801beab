/** Replication slots by SQL (manual chapter "Replication Management Functions"). */
import { formatLsn, parseLsn } from '../../values/lsn.js';
import type { Value } from '../expression/expression.js';
import { sqlError } from '../failure.js';
import type { NewSlot, SlotState } from '../host.js';
import { arrayElements } from '../types/array-values.js';
import { typeOids } from '../types/type-oids.js';
import { rowFunctions, volatileFunctions, volatileSetFunctions, type Call } from './definition.js';

type Options = Partial<Pick<NewSlot, 'plugin' | 'temporary' | 'twoPhase' | 'failover' | 'reserveWal'>>;

function newSlot({ context }: Call, name: string, options: Options): NewSlot {
  const { database, pid } = context.session;
  return {
    name,
    plugin: null,
    temporary: false,
    twoPhase: false,
    failover: false,
    reserveWal: false,
    database,
    pid,
    ...options,
  };
}

const isTrue = (value: string | undefined): boolean => value === 't';

function create(call: Call, slot: NewSlot): readonly Value[] {
  const { confirmedFlushLsn, restartLsn } = call.context.host.createSlot(slot);
  const lsn = slot.plugin === null ? (slot.reserveWal ? restartLsn : null) : confirmedFlushLsn;
  return [slot.name, lsn === null ? null : formatLsn(lsn, call.context.major)];
}

function logical(call: Call, name: string, plugin: string, ...flags: string[]): readonly Value[] {
  const [temporary, twoPhase, failover] = flags.map(isTrue);
  return create(
    call,
    newSlot(call, name, { plugin, temporary: temporary!, twoPhase: twoPhase ?? false, failover: failover ?? false }),
  );
}

function copy(call: Call, source: string, name: string, options: Options & { isLogical: boolean }): readonly Value[] {
  const { host } = call.context;
  const original = host.slots().find((slot) => slot.name === source);
  if (original === undefined) throw sqlError('42704', `replication slot "${source}" does not exist`);
  if ((original.plugin !== null) !== options.isLogical) {
    const [is, wanted] = options.isLogical ? ['physical', 'logical'] : ['logical', 'physical'];
    throw sqlError('0A000', `cannot copy ${is} replication slot "${source}" as a ${wanted} replication slot`);
  }
  const { plugin = original.plugin, temporary = original.temporary } = options;
  const copied: SlotState = host.copySlot(source, newSlot(call, name, { plugin, temporary }));
  const lsn = copied.confirmedFlushLsn ?? copied.restartLsn;
  return [name, lsn === null ? null : formatLsn(lsn, call.context.major)];
}

/** The functions that read a slot give nothing where a name or option is NULL: they refuse it. */
function* changes(call: Call, isBinary: boolean, confirm: boolean, ...values: Value[]): Generator<readonly Value[]> {
  const [name, upToLsn, upToCount, options] = values as [Value, Value, Value, Value];
  const { context } = call;
  if (name === null) throw sqlError('22004', 'slot name must not be null');
  if (options === null) throw sqlError('22004', 'options array must not be null');
  const read = context.host.readSlot({
    slot: name,
    pid: context.session.pid,
    upToLsn: upToLsn === null ? null : parseLsn(upToLsn),
    upToCount: upToCount === null ? null : Number(upToCount),
    options: optionPairs(call, options),
    notice: (notice) => context.session.notice(notice),
    confirm,
  });
  for (const { lsn, xid, data } of read) {
    if (!isBinary) throw binaryOutput(name, confirm, context.host.slots());
    const hex = Array.from(data, (byte) => byte.toString(16).padStart(2, '0')).join('');
    yield [formatLsn(lsn, context.major), String(xid), `\\x${hex}`];
  }
}

function optionPairs({ context }: Call, options: string): (readonly [string, string])[] {
  const elements = arrayElements(context.types, typeOids.textArray, options);
  if (elements.includes(null)) throw sqlError('22004', 'array must not contain nulls');
  if (elements.length % 2 !== 0) throw sqlError('22023', 'array must have even number of elements');
  return elements.flatMap((element, i) => (i % 2 === 0 ? [[element!, elements[i + 1]!] as const] : []));
}

/** pgoutput writes binary only. */
function binaryOutput(name: string, confirm: boolean, slots: readonly SlotState[]): Error {
  const plugin = slots.find((slot) => slot.name === name)?.plugin ?? 'pgoutput';
  const caller = `pg_logical_slot_${confirm ? 'get' : 'peek'}_changes(name,pg_lsn,integer,text[])`;
  return sqlError(
    '0A000',
    `logical decoding output plugin "${plugin}" produces binary output, but function "${caller}" expects textual data`,
  );
}

const reading =
  '(slot_name name, upto_lsn pg_lsn, upto_nchanges int4, variadic options _text = {}) setof (lsn pg_lsn, xid xid, data';

export const slotFunctions = [
  rowFunctions({
    '[-11]pg_create_logical_replication_slot(slot_name name, plugin name, temporary bool = f) (slot_name text, lsn pg_lsn)':
      logical,
    '[12-13]pg_create_logical_replication_slot(slot_name name, plugin name, temporary bool = f) (slot_name name, lsn pg_lsn)':
      logical,
    '[14-16]pg_create_logical_replication_slot(slot_name name, plugin name, temporary bool = f, twophase bool = f) (slot_name name, lsn pg_lsn)':
      logical,
    '[17-]pg_create_logical_replication_slot(slot_name name, plugin name, temporary bool = f, twophase bool = f, failover bool = f) (slot_name name, lsn pg_lsn)':
      logical,
    'pg_create_physical_replication_slot(slot_name name, immediately_reserve bool = f, temporary bool = f) (slot_name name, lsn pg_lsn)':
      (call, name, reserve, temporary) =>
        create(call, newSlot(call, name, { reserveWal: isTrue(reserve), temporary: isTrue(temporary) })),
    '[12-]pg_copy_logical_replication_slot(src_slot_name name, dst_slot_name name) (slot_name name, lsn pg_lsn)': (
      call,
      source,
      name,
    ) => copy(call, source, name, { isLogical: true }),
    '[12-]pg_copy_logical_replication_slot(src_slot_name name, dst_slot_name name, temporary bool) (slot_name name, lsn pg_lsn)':
      (call, source, name, temporary) => copy(call, source, name, { isLogical: true, temporary: isTrue(temporary) }),
    '[12-]pg_copy_logical_replication_slot(src_slot_name name, dst_slot_name name, temporary bool, plugin name) (slot_name name, lsn pg_lsn)':
      (call, source, name, temporary, plugin) =>
        copy(call, source, name, { isLogical: true, temporary: isTrue(temporary), plugin }),
    '[12-]pg_copy_physical_replication_slot(src_slot_name name, dst_slot_name name) (slot_name name, lsn pg_lsn)': (
      call,
      source,
      name,
    ) => copy(call, source, name, { isLogical: false }),
    '[12-]pg_copy_physical_replication_slot(src_slot_name name, dst_slot_name name, temporary bool) (slot_name name, lsn pg_lsn)':
      (call, source, name, temporary) => copy(call, source, name, { isLogical: false, temporary: isTrue(temporary) }),
    '[11-]pg_replication_slot_advance(slot_name name, upto_lsn pg_lsn) (slot_name name, end_lsn pg_lsn)': (
      { context },
      name,
      lsn,
    ) => [name, formatLsn(context.host.advanceSlot(name, parseLsn(lsn), context.session.pid), context.major)],
  }),
  volatileFunctions({
    'pg_drop_replication_slot(name) void': ({ context }, name) => {
      context.host.dropSlot(name, context.session.pid);
      return '';
    },
  }),
  volatileSetFunctions({
    [`pg_logical_slot_get_binary_changes${reading} bytea)`]: (call, ...values) => changes(call, true, true, ...values),
    [`pg_logical_slot_peek_binary_changes${reading} bytea)`]: (call, ...values) =>
      changes(call, true, false, ...values),
    [`pg_logical_slot_get_changes${reading} text)`]: (call, ...values) => changes(call, false, true, ...values),
    [`pg_logical_slot_peek_changes${reading} text)`]: (call, ...values) => changes(call, false, false, ...values),
  }),
];
