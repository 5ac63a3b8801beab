/** Settings whose values are more than their type says: time zones, date styles, encodings, lists of names. */
import { quoteIdentifier } from '../../postgres/identifier.js';
import type { OutputSettings } from '../../postgres/pg-type.js';
import { timeZone } from '../../postgres/time-zone.js';
import { parseIdentifierList } from '../../protocol/identifier.js';
import { NotEmulated } from '../failure.js';
import { invalidValue } from './setting-values.js';

/** By name in lower case: the text to keep. `old` is the value so far. */
export const specialChecks: Readonly<Record<string, (text: string, old: string) => string>> = {
  timezone: (text) => checkedTimeZone('TimeZone', text),
  log_timezone: (text) => checkedTimeZone('log_timezone', text),
  datestyle: checkedDateStyle,
  client_encoding: checkedEncoding,
  search_path: (text) => checkedNames('search_path', text),
};

function checkedTimeZone(name: string, text: string): string {
  if (timeZone(text) === undefined) throw invalidValue(name, text);
  const interval = /^interval\s/i.test(text);
  if (interval) throw new NotEmulated(`time zone ${text}`);
  return zoneSpelling(text);
}

/** Names come back as the time zone database spells them. */
function zoneSpelling(text: string): string {
  if (!/^[a-z]+(\/|$)/i.test(text)) return text;
  if (/^(utc|gmt)$/i.test(text)) return text.toUpperCase();
  const known = Intl.supportedValuesOf('timeZone').find((name) => name.toLowerCase() === text.toLowerCase());
  return known ?? text;
}

const formats: Readonly<Record<string, OutputSettings['dateStyle']['format']>> = {
  iso: 'ISO',
  sql: 'SQL',
  postgres: 'POSTGRES',
  german: 'GERMAN',
};
const orders: readonly (readonly [RegExp, OutputSettings['dateStyle']['order']])[] = [
  [/^(mdy|us|noneuro.*)$/, 'MDY'],
  [/^(dmy|euro.*)$/, 'DMY'],
  [/^ymd$/, 'YMD'],
];
const shownFormats = { ISO: 'ISO', SQL: 'SQL', POSTGRES: 'Postgres', GERMAN: 'German' } as const;

function checkedDateStyle(text: string, old: string): string {
  const previous = dateStyleOf(old);
  let format: OutputSettings['dateStyle']['format'] = previous.format;
  let order: OutputSettings['dateStyle']['order'] | undefined;
  for (const given of text.split(',').map((part) => part.trim())) {
    const word = given.toLowerCase();
    const foundFormat = Object.keys(formats).find(
      (name) => word !== '' && (word === name || (name === 'postgres' && word.startsWith('postgres'))),
    );
    const foundOrder = orders.find(([pattern]) => pattern.test(word))?.[1];
    if (foundFormat !== undefined) {
      format = formats[foundFormat]!;
      if (format === 'GERMAN') order ??= 'DMY';
    } else if (foundOrder !== undefined) order = foundOrder;
    else throw invalidValue('DateStyle', text, { detail: `Unrecognized key word: "${word}".` });
  }
  return `${shownFormats[format]}, ${order ?? previous.order}`;
}

/** From the kept text: `ISO, MDY`. */
export function dateStyleOf(value: string): OutputSettings['dateStyle'] {
  const [format, order] = value.split(', ');
  return { format: formats[format!.toLowerCase()] ?? 'ISO', order: (order ?? 'MDY') as 'MDY' };
}

const encodings: Readonly<Record<string, string>> = { utf8: 'UTF8', unicode: 'UTF8', sqlascii: 'SQL_ASCII' };
const otherEncodings =
  /^(latin\d+|iso8859\d+|win\d+|windows\d+|koi8[ru]?|euc\w+|sjis|big5|gbk|gb18030|uhc|johab|mule\w*|shiftjis\w*|abc|tcvn\w*|alt|vscii)$/;

/** Text goes out in UTF-8 whatever it is: SQL_ASCII takes it as it stands. */
function checkedEncoding(text: string): string {
  const key = text.toLowerCase().replace(/[^a-z0-9]/g, '');
  const known = encodings[key];
  if (known !== undefined) return known;
  if (otherEncodings.test(key)) throw new NotEmulated(`client_encoding ${text}`);
  throw invalidValue('client_encoding', text);
}

function checkedNames(name: string, text: string): string {
  if (parseIdentifierList(text) === undefined) throw invalidValue(name, text, { detail: 'List syntax is invalid.' });
  return text;
}

/** The names in search_path's text. */
export function searchPathNames(value: string): readonly string[] {
  return parseIdentifierList(value) ?? [];
}

/** Settings that hold lists of names: SET x = a, "B" keeps them quoted. */
export const nameLists = new Set([
  'search_path',
  'datestyle',
  'temp_tablespaces',
  'session_preload_libraries',
  'shared_preload_libraries',
  'local_preload_libraries',
  'wal_consistency_checking',
  'log_destination',
  'debug_io_direct',
  'createrole_self_grant',
  'unix_socket_directories',
  'listen_addresses',
  'restrict_nonsystem_relation_kind',
  'synchronized_standby_slots',
  'synchronous_standby_names',
]);

const quotedLists = new Set(['search_path', 'temp_tablespaces']);

/** The values of SET name = a, b as one text. @throws Error for several where the setting takes one */
export function listText(name: string, values: readonly string[]): string {
  return values.map((value) => (quotedLists.has(name) ? quoteIdentifier(value) : value)).join(', ');
}
