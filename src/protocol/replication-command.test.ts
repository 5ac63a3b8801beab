import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { WireError } from '../values/wire-error.js';
import { parseReplicationCommand } from './replication-command.js';

function parse(text: string, major = 17): unknown {
  return parseReplicationCommand(text, major)?.command;
}

function errorOf(text: string, major = 17): string {
  try {
    parse(text, major);
  } catch (error) {
    if (error instanceof WireError) return `${error.code} ${error.message}`;
    throw error;
  }
  throw new Error(`no error for ${text}`);
}

describe('parseReplicationCommand', () => {
  it.each([
    ['IDENTIFY_SYSTEM', { kind: 'identifySystem' }],
    [' \t\r\n\fIDENTIFY_SYSTEM ; ', { kind: 'identifySystem' }],
    ['SHOW wal_level', { kind: 'show', name: 'wal_level' }],
    ['SHOW "TimeZone"', { kind: 'show', name: 'TimeZone' }],
    ['SHOW A.b', { kind: 'show', name: 'a.b' }],
    ['READ_REPLICATION_SLOT "A.b".c', { kind: 'readReplicationSlot', slot: 'A.b.c' }],
    ['DROP_REPLICATION_SLOT S', { kind: 'dropReplicationSlot', slot: 's', wait: false }],
    ['DROP_REPLICATION_SLOT "S" WAIT;', { kind: 'dropReplicationSlot', slot: 'S', wait: true }],
    ['TIMELINE_HISTORY 12', { kind: 'timelineHistory', timeline: 12 }],
    ['START_REPLICATION 0/1', { kind: 'startPhysical', slot: null, startLsn: 1n, timeline: 0 }],
    [
      'START_REPLICATION SLOT s PHYSICAL 16/B374D848 TIMELINE 3',
      { kind: 'startPhysical', slot: 's', startLsn: 0x16b374d848n, timeline: 3 },
    ],
    ['START_REPLICATION SLOT s LOGICAL 0/0', { kind: 'startLogical', slot: 's', startLsn: 0n, options: [] }],
    [
      `START_REPLICATION SLOT "s" LOGICAL 0/00000000 ("proto_version" '1',publication_names '"it''s"', binary)`,
      {
        kind: 'startLogical',
        slot: 's',
        startLsn: 0n,
        options: [
          { name: 'proto_version', value: '1' },
          { name: 'publication_names', value: `"it's"` },
          { name: 'binary', value: null },
        ],
      },
    ],
    ['BASE_BACKUP', { kind: 'baseBackup' }],
    ["BASE_BACKUP (LABEL 'x', PROGRESS, MAX_RATE 32)", { kind: 'baseBackup' }],
    ['UPLOAD_MANIFEST', { kind: 'uploadManifest' }],
    [
      'ALTER_REPLICATION_SLOT s ( FAILOVER true );',
      { kind: 'alterReplicationSlot', slot: 's', options: [{ name: 'failover', value: 'true' }] },
    ],
  ])('reads %s', (text, command) => {
    expect(parse(text)).toEqual(command);
  });

  it.each([
    ['CREATE_REPLICATION_SLOT s PHYSICAL', null, false, []],
    ['CREATE_REPLICATION_SLOT s TEMPORARY PHYSICAL RESERVE_WAL', null, true, [{ name: 'reserve_wal', value: null }]],
    ['CREATE_REPLICATION_SLOT s  LOGICAL "pgoutput"', 'pgoutput', false, []],
    [
      'CREATE_REPLICATION_SLOT s LOGICAL pgoutput EXPORT_SNAPSHOT TWO_PHASE',
      'pgoutput',
      false,
      [
        { name: 'snapshot', value: 'export' },
        { name: 'two_phase', value: null },
      ],
    ],
    [
      "CREATE_REPLICATION_SLOT s LOGICAL pgoutput(SNAPSHOT 'export',TWO_PHASE)",
      'pgoutput',
      false,
      [
        { name: 'snapshot', value: 'export' },
        { name: 'two_phase', value: null },
      ],
    ],
    [
      "CREATE_REPLICATION_SLOT s LOGICAL pgoutput ( TWO_PHASE,  SNAPSHOT 'nothing')",
      'pgoutput',
      false,
      [
        { name: 'two_phase', value: null },
        { name: 'snapshot', value: 'nothing' },
      ],
    ],
    [
      'CREATE_REPLICATION_SLOT s LOGICAL pgoutput (SNAPSHOT nothing, TWO_PHASE 1, WAIT)',
      'pgoutput',
      false,
      [
        { name: 'snapshot', value: 'nothing' },
        { name: 'two_phase', value: 1 },
        { name: 'wait', value: null },
      ],
    ],
  ])('reads %s', (text, plugin, temporary, options) => {
    expect(parse(text)).toEqual({ kind: 'createReplicationSlot', slot: 's', temporary, plugin, options });
  });

  it.each([
    'SELECT 1',
    'identify_system',
    '(select 1)',
    '-- x\nselect 1',
    '/* x */ IDENTIFY_SYSTEM',
    '',
    ' ; ',
    '1',
    'WAIT',
    '"SHOW"',
    '; SHOW x',
  ])('leaves %j to SQL', (text) => {
    expect(parse(text)).toBeUndefined();
  });

  it.each([
    ['READ_REPLICATION_SLOT s', 15],
    ['ALTER_REPLICATION_SLOT s (FAILOVER)', 17],
    ['UPLOAD_MANIFEST', 17],
  ])('knows %s from %i on', (text, since) => {
    expect(parse(text, since)).toBeDefined();
    expect(parse(text, since - 1)).toBeUndefined();
  });

  it.each([
    'IDENTIFY_SYSTEM x',
    'IDENTIFY_SYSTEM;;',
    'IDENTIFY_SYSTEM -- x',
    'SHOW server_version, x',
    'SHOW TIME ZONE',
    "START_REPLICATION SLOT 's1' LOGICAL 0/0",
    'START_REPLICATION LOGICAL 0/0',
    'START_REPLICATION SLOT s LOGICAL zz',
    'START_REPLICATION SLOT s LOGICAL 0/0 ()',
    'START_REPLICATION SLOT s LOGICAL 0/0 (proto_version 1)',
    "START_REPLICATION SLOT s LOGICAL 0/0 (TWO_PHASE 'on')",
    "START_REPLICATION SLOT s LOGICAL 0/0 (a '1' b '2')",
    'CREATE_REPLICATION_SLOT "a""b" LOGICAL pgoutput',
    'CREATE_REPLICATION_SLOT WAIT LOGICAL pgoutput',
    'CREATE_REPLICATION_SLOT s LOGICAL pgoutput ()',
    'ALTER_REPLICATION_SLOT s',
    'TIMELINE_HISTORY x',
    'UPLOAD_MANIFEST x',
  ])('refuses %s as servers do', (text) => {
    expect(errorOf(text)).toBe('42601 syntax error');
  });

  it('has no options in parentheses up to 14', () => {
    expect(errorOf("CREATE_REPLICATION_SLOT s LOGICAL pgoutput (SNAPSHOT 'nothing')", 14)).toBe('42601 syntax error');
    expect(errorOf('CREATE_REPLICATION_SLOT s LOGICAL pgoutput TWO_PHASE', 14)).toBe('42601 syntax error');
  });

  it('takes a vertical tab for a blank from 17 on', () => {
    expect(parse('\vIDENTIFY_SYSTEM', 17)).toEqual({ kind: 'identifySystem' });
    expect(parse('\vIDENTIFY_SYSTEM', 16)).toBeUndefined();
  });

  it('names what is wrong beyond syntax', () => {
    expect(errorOf('TIMELINE_HISTORY 0')).toBe('42601 invalid timeline 0');
    expect(errorOf('TIMELINE_HISTORY 4294967296')).toBe('42601 invalid timeline 0');
    expect(errorOf("START_REPLICATION SLOT s LOGICAL 0/0 (a 'x")).toBe('42601 unterminated quoted string');
    expect(errorOf('"abc')).toBe('42601 unterminated quoted string');
  });

  it('cuts long names with a notice', () => {
    const name = 'a'.repeat(70);
    const parsed = parseReplicationCommand(`DROP_REPLICATION_SLOT ${name}`, 17);
    expect(parsed?.command).toMatchObject({ slot: 'a'.repeat(63) });
    expect(parsed?.notices.map(({ severity, code, message }) => [severity, code, message])).toEqual([
      ['NOTICE', '42622', `identifier "${name}" will be truncated to "${'a'.repeat(63)}"`],
    ]);
  });

  it('either understands or refuses any text', () => {
    const words = fc.constantFrom(
      'SHOW',
      'START_REPLICATION',
      'SLOT',
      'LOGICAL',
      '0/0',
      '(',
      ')',
      ',',
      ';',
      "'",
      '"',
      "''",
      'x',
      '1',
      'é',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(words, fc.string())), fc.constantFrom(10, 14, 18), (parts, major) => {
        try {
          parse(parts.join(' '), major);
        } catch (error) {
          expect((error as WireError).code).toBe('42601');
        }
      }),
    );
  });
});
