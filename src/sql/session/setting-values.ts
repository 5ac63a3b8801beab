/** Values of settings: what SET accepts, how they are kept (in the setting's own unit), how SHOW prints them. */
import { sqlError } from '../failure.js';
import type { SettingDefinition } from './setting-definitions.js';

/** Microseconds. */
const timeUnits: Readonly<Record<string, number>> = { d: 86_400e6, h: 3_600e6, min: 60e6, s: 1e6, ms: 1e3, us: 1 };
/** Bytes. */
const memoryUnits: Readonly<Record<string, number>> = { TB: 2 ** 40, GB: 2 ** 30, MB: 2 ** 20, kB: 2 ** 10, B: 1 };

/** The sizes of the unit's kind, and of the unit itself (`8kB` is one too). */
function unitsOf(unit: string | null): { sizes: Readonly<Record<string, number>>; own: number } | undefined {
  if (unit === null) return undefined;
  if (unit in timeUnits) return { sizes: timeUnits, own: timeUnits[unit]! };
  const match = /^(\d*)(\w+)$/.exec(unit)!;
  return { sizes: memoryUnits, own: Number(match[1] === '' ? 1 : match[1]) * memoryUnits[match[2]!]! };
}

/** @throws SqlError 22023. The text to keep. */
export function checkedValue(definition: SettingDefinition, text: string, major: number): string {
  switch (definition.type) {
    case 'bool':
      return checkedBoolean(definition, text);
    case 'enum':
      return checkedChoice(definition, text);
    case 'integer':
    case 'real':
      return checkedNumber(definition, text, major);
    case 'string':
      return text;
  }
}

export function invalidValue(name: string, text: string, more: { hint?: string; detail?: string } = {}): Error {
  return sqlError('22023', `invalid value for parameter "${name}": "${text}"`, undefined, more);
}

/** Words may be cut short as long as they are clear. */
export function booleanOf(text: string): boolean | undefined {
  const word = text.toLowerCase();
  if (word === '1' || (word.length > 1 && word === 'on')) return true;
  if (word === '0' || (word.length > 1 && 'off'.startsWith(word))) return false;
  if (word !== '' && ('true'.startsWith(word) || 'yes'.startsWith(word))) return true;
  if (word !== '' && ('false'.startsWith(word) || 'no'.startsWith(word))) return false;
  return undefined;
}

function checkedBoolean({ name }: SettingDefinition, text: string): string {
  const value = booleanOf(text);
  if (value === undefined) throw sqlError('22023', `parameter "${name}" requires a Boolean value`);
  return value ? 'on' : 'off';
}

function checkedChoice({ name, choices }: SettingDefinition, text: string): string {
  const chosen = choices.find((choice) => choice.toLowerCase() === text.toLowerCase());
  if (chosen !== undefined) return chosen;
  // Choices with on and off take the other Boolean words too.
  const asBoolean = choices.includes('on') ? booleanOf(text) : undefined;
  if (asBoolean !== undefined) return asBoolean ? 'on' : 'off';
  throw invalidValue(name, text, { hint: `Available values: ${choices.join(', ')}.` });
}

function checkedNumber(definition: SettingDefinition, text: string, major: number): string {
  const { name, type, unit, min, max } = definition;
  const match = /^\s*([+-]?(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?))\s*(\w*)\s*$/.exec(text);
  if (match === null) {
    if (type === 'real' && major < 12) throw sqlError('22023', `parameter "${name}" requires a numeric value`);
    throw invalidValue(name, text);
  }
  const isFraction = type === 'integer' && major < 12 && /[.eE]/.test(match[1]!) && !/^[+-]?0x/i.test(match[1]!);
  const factor = match[2] === '' ? 1 : factorOf(definition, match[2]!, text, major);
  if (isFraction) throw invalidValue(name, text, { hint: unitHint(unit, major) });
  const number = Number(match[1]) * factor;
  const value = type === 'integer' ? roundHalfEven(number) : number;
  if (value < Number(min) || value > Number(max)) {
    const shown = (limit: string | number, since: number): string =>
      unit !== null && major >= since ? `${limit} ${unit}` : String(limit);
    const range = `(${shown(min!, 17)} .. ${shown(max!, 17)})`;
    throw sqlError('22023', `${shown(value, 12)} is outside the valid range for parameter "${name}" ${range}`);
  }
  return String(value);
}

function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  return value - floor === 0.5 ? floor + (floor & 1) : Math.round(value);
}

function factorOf({ name, unit }: SettingDefinition, given: string, text: string, major: number): number {
  const units = unitsOf(unit);
  const known =
    units !== undefined && given in units.sizes && (major >= 12 || given !== 'us') && (major >= 11 || given !== 'B');
  if (!known) throw invalidValue(name, text, units === undefined ? {} : { hint: unitHint(unit, major) });
  return units.sizes[given]! / units.own;
}

function unitHint(unit: string | null, major: number): string {
  if (unit !== null && unit in timeUnits) {
    return `Valid units for this parameter are ${major >= 12 ? '"us", ' : ''}"ms", "s", "min", "h", and "d".`;
  }
  return `Valid units for this parameter are ${major >= 11 ? '"B", ' : ''}"kB", "MB", "GB", and "TB".`;
}

const octal = new Set(['log_file_mode', 'unix_socket_permissions', 'data_directory_mode']);

/** As SHOW prints it: `1min`, `4MB`, in the largest unit that leaves a whole number. */
export function shownValue({ name, type, unit }: SettingDefinition, value: string): string {
  // pg_settings shows modes so too.
  if (octal.has(name)) return value.startsWith('0') ? value : `0${Number(value).toString(8)}`;
  const units = unitsOf(unit);
  const number = Number(value);
  if (units === undefined || (type !== 'integer' && type !== 'real') || number <= 0) return value;
  const size = number * units.own;
  for (const [word, unitSize] of Object.entries(units.sizes)) {
    if (size >= unitSize && Number.isInteger(size / unitSize)) return `${size / unitSize}${word}`;
  }
  return `${value}${unit!}`;
}
