import { describe, it, expect } from '@jest/globals';
import { booleanOf, checkedValue, shownValue } from './setting-values.js';
import { settingDefinitions } from './setting-definitions.js';

function definition(name: string, major = 17): NonNullable<ReturnType<ReturnType<typeof settingDefinitions>['get']>> {
  return settingDefinitions(major).get(name)!;
}

describe('values of settings', () => {
  it.each([
    ['wal_sender_timeout', '30s', '30000'],
    ['wal_sender_timeout', '1.5min', '90000'],
    ['wal_sender_timeout', '500us', '0'],
    ['wal_sender_timeout', '1500us', '2'],
    ['work_mem', '3MB', '3072'],
    ['shared_buffers', '16MB', '2048'],
    ['max_wal_size', '2GB', '2048'],
    ['enable_seqscan', 'of', 'off'],
    ['synchronous_commit', 'TRUE', 'on'],
    ['bytea_output', 'HEX', 'hex'],
    ['seq_page_cost', '1e1', '10'],
  ])('%s = %s is kept as %s', (name, text, kept) => {
    expect(checkedValue(definition(name), text, 17)).toBe(kept);
  });

  it.each([
    ['wal_sender_timeout', '60000', '1min'],
    ['wal_sender_timeout', '90000', '90s'],
    ['wal_sender_timeout', '0', '0'],
    ['wal_sender_timeout', '1500', '1500ms'],
    ['work_mem', '4096', '4MB'],
    ['shared_buffers', '16384', '128MB'],
    ['max_connections', '100', '100'],
    ['log_file_mode', '384', '0600'],
    ['vacuum_cost_delay', '2', '2ms'],
    ['log_rotation_age', '1440', '1d'],
  ])('%s of %s is shown as %s', (name, kept, shown) => {
    expect(shownValue(definition(name), kept)).toBe(shown);
  });

  it('know units by major', () => {
    const old = definition('statement_timeout', 11);
    expect(() => checkedValue(old, '5us', 11)).toThrow('invalid value for parameter "statement_timeout": "5us"');
    expect(() => checkedValue(old, '1.5s', 11)).toThrow('invalid value');
  });

  it('read Boolean words as far as they are clear', () => {
    expect(['t', 'yes', 'ON', '1', 'tru'].map(booleanOf)).toEqual([true, true, true, true, true]);
    expect(['f', 'no', 'off', 'of', '0'].map(booleanOf)).toEqual([false, false, false, false, false]);
    expect(['o', '', 'maybe', '2', 'truely'].map(booleanOf)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
