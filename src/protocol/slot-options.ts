/** Options of CREATE_REPLICATION_SLOT and ALTER_REPLICATION_SLOT, checked in the order given, with the server's errors. */
import { WireError } from '../values/wire-error.js';
import type { GenericOption } from './replication-command.js';

export interface CreateSlotOptions {
  readonly snapshot: 'export' | 'nothing' | 'use';
  readonly reserveWal: boolean;
  readonly twoPhase: boolean;
  readonly failover: boolean;
}

/** Undefined: not given. */
export interface AlterSlotOptions {
  readonly failover: boolean | undefined;
  readonly twoPhase: boolean | undefined;
}

/** @throws WireError 42601, 22023 or XX000. */
export function createSlotOptions(
  options: readonly GenericOption[],
  logical: boolean,
  major: number,
): CreateSlotOptions {
  const given = new Set<string>();
  let snapshot: CreateSlotOptions['snapshot'] = 'export';
  let reserveWal = false;
  let twoPhase = false;
  let failover = false;
  for (const option of options) {
    const known =
      option.name === 'failover' ? major >= 17 : ['snapshot', 'reserve_wal', 'two_phase'].includes(option.name);
    if (!known) throw unrecognized(option);
    if (given.has(option.name) || logical === (option.name === 'reserve_wal')) throw conflicting();
    given.add(option.name);
    if (option.name === 'snapshot') snapshot = snapshotAction(option);
    else if (option.name === 'reserve_wal') reserveWal = booleanOption(option);
    else if (option.name === 'two_phase') twoPhase = booleanOption(option);
    else failover = booleanOption(option);
  }
  return { snapshot, reserveWal, twoPhase, failover };
}

/** @throws WireError 42601 or XX000. */
export function alterSlotOptions(options: readonly GenericOption[], major: number): AlterSlotOptions {
  let failover: boolean | undefined;
  let twoPhase: boolean | undefined;
  for (const option of options) {
    if (option.name === 'failover') {
      if (failover !== undefined) throw conflicting();
      failover = booleanOption(option);
    } else if (option.name === 'two_phase' && major >= 18) {
      if (twoPhase !== undefined) throw conflicting();
      twoPhase = booleanOption(option);
    } else {
      throw unrecognized(option);
    }
  }
  return { failover, twoPhase };
}

function snapshotAction(option: GenericOption): CreateSlotOptions['snapshot'] {
  const { value } = option;
  if (value === null) throw new WireError({ code: '42601', message: 'snapshot requires a parameter' });
  if (value === 'export' || value === 'nothing' || value === 'use') return value;
  const message = `unrecognized value for CREATE_REPLICATION_SLOT option "snapshot": "${value}"`;
  throw new WireError({ code: '22023', message });
}

/**
 * No value means true; true, false, on, off in any case, 1 and 0.
 *
 * @throws WireError 42601.
 */
export function booleanOption({ name, value }: GenericOption): boolean {
  const known = booleanValue(value);
  if (known === undefined) throw new WireError({ code: '42601', message: `${name} requires a Boolean value` });
  return known;
}

/** Undefined for what is no Boolean. Quoted digits are none. */
export function booleanValue(value: GenericOption['value']): boolean | undefined {
  if (value === null) return true;
  const word = typeof value === 'string' ? value.toLowerCase() : value;
  if (word === 'true' || word === 'on' || word === 1) return true;
  if (word === 'false' || word === 'off' || word === 0) return false;
  return undefined;
}

export function conflicting(): WireError {
  return new WireError({ code: '42601', message: 'conflicting or redundant options' });
}

function unrecognized({ name }: GenericOption): WireError {
  return new WireError({ code: 'XX000', message: `unrecognized option: ${name}` });
}
