/** The settings (GUCs) of a server's major: types, limits, defaults, and who may change them when. */
import { majorFacts } from '../../postgres/major.js';
import { cell, linesOf, perMajor } from '../system/lines.js';
import { settingLines } from '../system/settings.js';
import { switchLines } from '../system/switches.js';

export type SettingContext =
  'internal' | 'postmaster' | 'sighup' | 'superuser-backend' | 'backend' | 'superuser' | 'user';

export interface SettingDefinition {
  /** As the server spells it: `TimeZone`. */
  readonly name: string;
  readonly type: 'bool' | 'integer' | 'real' | 'string' | 'enum';
  readonly context: SettingContext;
  readonly unit: string | null;
  readonly min: string | null;
  readonly max: string | null;
  readonly choices: readonly string[];
  /** boot_val of pg_settings. */
  readonly bootValue: string | null;
  /** What a freshly installed server has. */
  readonly value: string;
  /** Told to clients when it changes (ParameterStatus). */
  readonly isReported: boolean;
  /** Not in pg_settings and SHOW ALL. */
  readonly isHidden: boolean;
}

/** Settings that pg_settings leaves out, in the form of the recorded lines. */
const hiddenLines = `
is_superuser bool internal ~ ~ ~ ~ off
role string user ~ ~ ~ ~ none
session_authorization string user
`;
const hidden = new Set(['is_superuser', 'role', 'session_authorization']);

/** By name in lower case. */
export const settingDefinitions = perMajor((major) => {
  const reported = new Set(majorFacts(major).parameterStatus);
  const definitions = [
    ...linesOf(settingLines, major),
    ...linesOf(switchLines, major),
    ...linesOf(hiddenLines, major),
  ].map((line) => parse(line, reported));
  return new Map(definitions.map((definition) => [definition.name.toLowerCase(), definition]));
});

function parse(line: string, reported: ReadonlySet<string>): SettingDefinition {
  const words = line.split(' ');
  const [name, type, context] = words as [string, SettingDefinition['type'], SettingContext];
  const [unit, min, max, choices, boot, value] = words.slice(3).map(cell);
  return {
    name,
    type,
    context,
    unit: unit ?? null,
    min: min ?? null,
    max: max ?? null,
    choices: choices?.split(',') ?? [],
    bootValue: boot ?? null,
    value: value ?? boot ?? '',
    isReported: reported.has(name),
    isHidden: hidden.has(name),
  };
}
