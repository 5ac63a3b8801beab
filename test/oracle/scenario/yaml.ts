/** The pieces of YAML that a scenario is written in. */
import { Scalar, stringify } from 'yaml';
import { formatLsn } from '../../../src/values/lsn.js';
import { formatTimestamp } from '../../../src/values/timestamp.js';

export type Yaml =
  string | number | boolean | null | Scalar | readonly Yaml[] | { readonly [key: string]: Yaml | undefined };
export type YamlMap = Record<string, Yaml | undefined>;

/** Text as it is: quoted, and without templates. */
export function text(value: string): Scalar {
  const scalar = new Scalar(value.replaceAll('{{', '\\{{'));
  scalar.type = Scalar.QUOTE_DOUBLE;
  return scalar;
}

export function tagged(tag: string, value: string): Scalar {
  const scalar = tag === '!bytes' ? new Scalar(value) : text(value);
  scalar.tag = tag;
  return scalar;
}

export const unchanged: Scalar = Object.assign(new Scalar(''), { tag: '!unchanged', type: Scalar.PLAIN });

export function lsn(value: bigint): string {
  return formatLsn(value);
}

export function time(value: bigint): string {
  return formatTimestamp(value);
}

/** Keys with no value are left out. */
export function printYaml(value: YamlMap): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false, keepUndefined: false, schema: 'core' });
}
