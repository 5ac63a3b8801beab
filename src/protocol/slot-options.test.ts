import { describe, expect, it } from '@jest/globals';
import type { GenericOption } from './replication-command.js';
import { alterSlotOptions, createSlotOptions } from './slot-options.js';

function option(name: string, value: GenericOption['value'] = null): GenericOption {
  return { name, value };
}

describe('createSlotOptions', () => {
  it('exports a snapshot unless told otherwise', () => {
    expect(createSlotOptions([], true, 17)).toEqual({
      snapshot: 'export',
      reserveWal: false,
      twoPhase: false,
      failover: false,
    });
  });

  it('takes true, false, on and off in any case, 1 and 0', () => {
    for (const value of ['true', 'ON', 1, null]) {
      expect(createSlotOptions([option('two_phase', value)], true, 17).twoPhase).toBe(true);
    }
    for (const value of ['False', 'off', 0]) {
      expect(createSlotOptions([option('two_phase', value)], true, 17).twoPhase).toBe(false);
    }
  });

  // As servers 15, 17 and 18 answered.
  it.each<[string, GenericOption[], boolean, number, string, string]>([
    ['twice', [option('two_phase'), option('two_phase')], true, 15, '42601', 'conflicting or redundant options'],
    [
      'two snapshots',
      [option('snapshot', 'use'), option('snapshot', 'export')],
      true,
      10,
      '42601',
      'conflicting or redundant options',
    ],
    ['reserve_wal on logical', [option('reserve_wal')], true, 17, '42601', 'conflicting or redundant options'],
    ['two_phase on physical', [option('two_phase')], false, 17, '42601', 'conflicting or redundant options'],
    ['failover on physical', [option('failover')], false, 17, '42601', 'conflicting or redundant options'],
    ['failover before 17', [option('failover')], true, 16, 'XX000', 'unrecognized option: failover'],
    ['unknown', [option('wait', 1)], true, 17, 'XX000', 'unrecognized option: wait'],
    ['no snapshot', [option('snapshot')], true, 17, '42601', 'snapshot requires a parameter'],
    [
      'snapshot 1',
      [option('snapshot', 1)],
      true,
      17,
      '22023',
      'unrecognized value for CREATE_REPLICATION_SLOT option "snapshot": "1"',
    ],
    ['two_phase 2', [option('two_phase', 2)], true, 17, '42601', 'two_phase requires a Boolean value'],
    ['two_phase "1"', [option('two_phase', '1')], true, 17, '42601', 'two_phase requires a Boolean value'],
    ['reserve_wal x', [option('reserve_wal', 'x')], false, 15, '42601', 'reserve_wal requires a Boolean value'],
  ])('refuses %s', (_, options, logical, major, code, message) => {
    expect(() => createSlotOptions(options, logical, major)).toThrow(expect.objectContaining({ code, message }));
  });
});

describe('alterSlotOptions', () => {
  it('knows two_phase from 18 on', () => {
    expect(alterSlotOptions([option('two_phase', 'off')], 18)).toEqual({ failover: undefined, twoPhase: false });
    expect(() => alterSlotOptions([option('two_phase')], 17)).toThrow('unrecognized option: two_phase');
  });

  it('refuses an option given twice', () => {
    expect(() => alterSlotOptions([option('failover'), option('failover')], 17)).toThrow(
      'conflicting or redundant options',
    );
  });
});
