/** Settings of a walsender connection that change what values print like. */
import { defaultSettings } from '../../../src/postgres/settings.js';
import type { OutputSettings } from '../../../src/postgres/pg-type.js';

export function outputSettings(gucs: Readonly<Record<string, string>>, major: number): OutputSettings {
  const defaults = defaultSettings(major);
  const given = new Map(Object.entries(gucs).map(([name, value]) => [name.toLowerCase(), value]));
  const style = (given.get('datestyle') ?? '').toUpperCase();
  return {
    major,
    dateStyle: {
      format: (/ISO|SQL|POSTGRES|GERMAN/.exec(style)?.[0] ?? 'ISO') as OutputSettings['dateStyle']['format'],
      order: (/MDY|DMY|YMD/.exec(style)?.[0] ?? 'MDY') as OutputSettings['dateStyle']['order'],
    },
    intervalStyle: (given.get('intervalstyle') ?? defaults.intervalStyle) as OutputSettings['intervalStyle'],
    timeZone: given.get('timezone') ?? defaults.timeZone,
    extraFloatDigits: Number(given.get('extra_float_digits') ?? defaults.extraFloatDigits),
    byteaOutput: (given.get('bytea_output') ?? defaults.byteaOutput) as OutputSettings['byteaOutput'],
  };
}
