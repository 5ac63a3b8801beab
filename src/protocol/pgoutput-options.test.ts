import { describe, expect, it } from '@jest/globals';
import { highestProtoVersion, pgoutputOptions, ServerCrash } from './pgoutput-options.js';

const all = [10, 11, 12, 13, 14, 15, 16, 17, 18];

function options(given: Readonly<Record<string, string | null>>, major: number) {
  return pgoutputOptions(
    Object.entries(given).map(([name, value]) => ({ name, value })),
    major,
  );
}

function refusal(given: Readonly<Record<string, string | null>>, major: number): string | null {
  try {
    options(given, major);
    return null;
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return `${code} ${message}`;
  }
}

describe('pgoutputOptions', () => {
  it('has defaults for what is not given', () => {
    expect(options({ proto_version: '1', publication_names: 'p, "Q"' }, 18)).toEqual({
      protoVersion: 1,
      publicationNames: ['p', 'Q'],
      binary: false,
      messages: false,
      streaming: 'off',
      twoPhase: false,
      origin: 'any',
    });
  });

  it('takes every option in any order', () => {
    const given = {
      origin: 'NONE',
      two_phase: 'on',
      streaming: 'Parallel',
      messages: null,
      binary: 'TRUE',
      publication_names: 'p',
      proto_version: ' +4',
    };
    expect(options(given, 16)).toMatchObject({
      protoVersion: 4,
      binary: true,
      messages: true,
      streaming: 'parallel',
      twoPhase: true,
      origin: 'none',
    });
  });

  it.each(all)('checks the version that %i can speak', (major) => {
    const highest = highestProtoVersion(major);
    const only = major >= 16 ? 'server only supports' : 'we only support';
    expect(refusal({ proto_version: String(highest), publication_names: 'p' }, major)).toBeNull();
    expect(refusal({ proto_version: String(highest + 1), publication_names: 'p' }, major)).toBe(
      `0A000 client sent proto_version=${highest + 1} but ${only} protocol ${highest} or lower`,
    );
    expect(refusal({ proto_version: '0', publication_names: 'p' }, major)).toBe(
      `0A000 client sent proto_version=0 but ${only} protocol 1 or higher`,
    );
    expect(refusal({ proto_version: '4294967295', publication_names: 'p' }, major)).toBe(
      `0A000 client sent proto_version=-1 but ${only} protocol ${highest} or lower`,
    );
  });

  it.each(all)('words what is missing as %i does', (major) => {
    const only = major >= 16 ? 'server only supports' : 'we only support';
    expect(refusal({}, major)).toBe(
      major >= 17
        ? '22023 option "proto_version" missing'
        : `0A000 client sent proto_version=0 but ${only} protocol 1 or higher`,
    );
    expect(refusal({ proto_version: '1' }, major)).toBe(
      major >= 17 ? '22023 option "publication_names" missing' : '22023 publication_names parameter missing',
    );
    expect(refusal({ proto_version: '1', publication_names: ' ' }, major)).toBe(
      major >= 17 ? null : '22023 publication_names parameter missing',
    );
  });

  it.each(all)('reads numbers as %i does', (major) => {
    const of = (text: string): string | null => refusal({ proto_version: text, publication_names: 'p' }, major);
    for (const text of ['x', '1.5', '0x1', ' ', '1x', '99999999999999999999'])
      expect(of(text)).toBe('22023 invalid proto_version');
    expect(of('-1')).toBe('22023 proto_version "-1" out of range');
    expect(of('4294967296')).toBe('22023 proto_version "4294967296" out of range');
    expect(of('1 ')).toBe(major < 15 ? null : '22023 invalid proto_version');
    expect(of('')).toMatch(major < 15 ? /invalid proto_version/ : /proto_version=0 but/);
    expect(of('18446744073709551615')).toBe(
      major < 15 ? '22023 invalid proto_version' : '22023 proto_version "18446744073709551615" out of range',
    );
  });

  it('calls an empty proto_version invalid again from 20 on', () => {
    expect(refusal({ proto_version: '', publication_names: 'p' }, 20)).toBe('22023 invalid proto_version');
  });

  it.each([
    ['binary', 14],
    ['messages', 14],
    ['streaming', 14],
    ['two_phase', 15],
    ['origin', 16],
  ])('knows %s from %i on', (name, since) => {
    const given = { proto_version: '1', publication_names: 'p', [name]: 'any' };
    expect(refusal(given, since - 1)).toBe(`XX000 unrecognized pgoutput option: ${name}`);
    expect(refusal(given, since) ?? '').not.toMatch(/unrecognized pgoutput/);
  });

  it.each<[Record<string, string | null>, number, string]>([
    [{ proto_version: '1', publication_names: 'p,' }, 10, '42602 invalid publication_names syntax'],
    [{ proto_version: '1', publication_names: 'p', binary: '1' }, 14, '42601 binary requires a Boolean value'],
    [
      { proto_version: '2', publication_names: 'p', streaming: 'parallel' },
      15,
      '42601 streaming requires a Boolean value',
    ],
    [
      { proto_version: '2', publication_names: 'p', streaming: 'x' },
      16,
      '42601 streaming requires a Boolean value or "parallel"',
    ],
    [
      { proto_version: '1', publication_names: 'p', streaming: 'on' },
      14,
      '22023 requested proto_version=1 does not support streaming, need 2 or higher',
    ],
    [
      { proto_version: '3', publication_names: 'p', streaming: 'parallel' },
      16,
      '22023 requested proto_version=3 does not support parallel streaming, need 4 or higher',
    ],
    [
      { proto_version: '2', publication_names: 'p', two_phase: 'on' },
      15,
      '22023 requested proto_version=2 does not support two-phase commit, need 3 or higher',
    ],
    [{ proto_version: '4', publication_names: 'p', origin: 'x' }, 16, '22023 unrecognized origin value: "x"'],
    [{ proto_version: '4', publication_names: 'p', origin: null }, 16, '42601 origin requires a parameter'],
    [{ binary: 'x', zz: 'y' }, 18, '42601 binary requires a Boolean value'],
  ])('refuses %j on %i', (given, major, message) => {
    expect(refusal(given, major)).toBe(message);
  });

  it('refuses an option given twice', () => {
    const twice = [
      { name: 'proto_version', value: '1' },
      { name: 'proto_version', value: '1' },
    ];
    expect(() => pgoutputOptions(twice, 18)).toThrow('conflicting or redundant options');
  });

  it.each(['proto_version', 'publication_names'])('knows that %s without a value crashes a server', (name) => {
    expect(() => options({ [name]: null }, 18)).toThrow(ServerCrash);
  });
});
