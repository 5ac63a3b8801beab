/** The pieces of YAML that a printed scenario consists of. */
import { Scalar, YAMLMap } from 'yaml';
import { formatLsn } from '../values/lsn.js';
import { formatTimestamp } from '../values/timestamp.js';

/** Strings print as they are where YAML allows: for words of the format and numbers. What comes from data goes through `text`. */
export type YamlValue = string | Scalar | YAMLMap | readonly YamlValue[] | YamlObject;
export interface YamlObject {
  /** Undefined: left out. */
  readonly [key: string]: YamlValue | undefined;
}

/** What a YAML reader other than ours would take for something else than text. */
const notText =
  /^(?:~|null|true|false|yes|no|on|off|<<|=|[-+]?(?:\d[\d_]*)?(?:\.\d*)?(?:e[-+]?\d+)?|[-+]?\.(?:inf|nan)|0[xob][\da-f_]+)$/i;
const escaped = /[\x00-\x1f\x7f-\xa0\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]/;

/** Text of the author's data: quoted where it would read as something else, and without templates. */
export function text(value: string): Scalar {
  return quoted(value.replaceAll('{{', '\\{{'));
}

function quoted(value: string, force = false): Scalar {
  const scalar = new Scalar(value);
  if (escaped.test(value)) scalar.type = Scalar.QUOTE_DOUBLE;
  else if (/["\\]/.test(value) && !value.includes("'")) scalar.type = Scalar.QUOTE_SINGLE;
  else if (force || notText.test(value)) scalar.type = Scalar.QUOTE_DOUBLE;
  return scalar;
}

/** As it is, without quotes: numbers, `true`, `null`. */
export function plain(value: string): Scalar {
  const scalar = new Scalar(value);
  scalar.type = Scalar.PLAIN;
  return scalar;
}

export function tagged(tag: '!bytes' | '!binary' | '!raw', value: string): Scalar {
  const scalar = quoted(value, tag !== '!raw');
  scalar.tag = tag;
  return scalar;
}

export function unchangedMark(): Scalar {
  const scalar = plain('');
  scalar.tag = '!unchanged';
  return scalar;
}

/** `{ id: 1, email: ann@example.com }` on one line. */
export function flow(entries: Iterable<readonly [name: string, value: YamlValue]>): YAMLMap {
  const map = new YAMLMap();
  map.flow = true;
  for (const [name, value] of entries) map.set(text(name), value);
  return map;
}

/** A key that is there to say yes. */
export function flag(isSet: boolean): string | undefined {
  return isSet ? 'true' : undefined;
}

export function lsn(value: bigint | undefined): string | undefined {
  return value === undefined ? undefined : formatLsn(value);
}

export function time(value: bigint | undefined): string | undefined {
  return value === undefined ? undefined : formatTimestamp(value).replace(/\.?0+Z$/, 'Z');
}
