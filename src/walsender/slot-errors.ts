/** What servers say about slots, by major. */
import { WireError } from '../values/wire-error.js';
import type { InvalidationReason, Slot } from './slot.js';

/** From 17 on the names of settings are quoted in messages. */
export function settingName(name: string, major: number): string {
  return major >= 17 ? `"${name}"` : name;
}

export function slotMissing(name: string): WireError {
  return new WireError({ code: '42704', message: `replication slot "${name}" does not exist` });
}

export function slotExists(name: string): WireError {
  return new WireError({ code: '42710', message: `replication slot "${name}" already exists` });
}

export function slotActive(name: string, pid: number): WireError {
  return new WireError({ code: '55006', message: `replication slot "${name}" is active for PID ${pid}` });
}

export function slotsExhausted(major: number): WireError {
  return new WireError({
    code: '53400',
    message: 'all replication slots are in use',
    hint: `Free one or increase ${settingName('max_replication_slots', major)}.`,
  });
}

/** @throws WireError 42602 for names that a slot cannot have. */
export function checkSlotName(name: string, major: number): void {
  if (name === '') throw new WireError({ code: '42602', message: 'replication slot name "" is too short' });
  if (!/^[a-z0-9_]+$/.test(name)) {
    throw new WireError({
      code: '42602',
      message: `replication slot name "${name}" contains invalid character`,
      hint: 'Replication slot names may only contain lower case letters, numbers, and the underscore character.',
    });
  }
  if (name.length > 63) throw new WireError({ code: '42602', message: `replication slot name "${name}" is too long` });
  if (major >= 19 && name === 'pg_conflict_detection') {
    throw new WireError({
      code: '42939',
      message: `replication slot name "${name}" is reserved`,
      detail: `The name "${name}" is reserved for the conflict detection slot.`,
    });
  }
}

/** Bytes of a WAL segment. */
const segmentSize = 0x100_0000n;

/** What a walsender finds when the WAL that the slot needs is gone. */
export function walRemoved({ restartLsn }: Slot, timeline: number): WireError {
  const hex = (number: bigint): string => number.toString(16).toUpperCase().padStart(8, '0');
  const segment = (restartLsn ?? 0n) / segmentSize;
  const perLog = 0x1_0000_0000n / segmentSize;
  const file = hex(BigInt(timeline)) + hex(segment / perLog) + hex(segment % perLog);
  return new WireError({ code: '58P01', message: `requested WAL segment ${file} has already been removed` });
}

const invalidationDetails: Readonly<Record<InvalidationReason, string>> = {
  wal_removed: 'This slot has been invalidated because it exceeded the maximum reserved size.',
  rows_removed: 'This slot has been invalidated because it was conflicting with recovery.',
  wal_level_insufficient: 'This slot has been invalidated because it was conflicting with recovery.',
  idle_timeout: 'This slot has been invalidated because it exceeded the maximum reserved size.',
};

/** Of a slot that was invalidated, when somebody wants to read it. */
export function slotInvalidated(slot: Slot, major: number): WireError {
  const reason = slot.invalidationReason ?? 'wal_removed';
  if (major >= 18) {
    return new WireError({
      code: '55000',
      message: `can no longer access replication slot "${slot.name}"`,
      detail: `This replication slot has been invalidated due to "${reason}".`,
    });
  }
  const message =
    major >= 16
      ? `can no longer get changes from replication slot "${slot.name}"`
      : `cannot read from logical replication slot "${slot.name}"`;
  return new WireError({ code: '55000', message, detail: invalidationDetails[reason] });
}
