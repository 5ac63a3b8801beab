import { majorFacts } from './major.js';
import type { OutputSettings } from './pg-type.js';

/** What a session has that asked for nothing, on a server in time zone UTC. */
export function defaultSettings(major: number): OutputSettings {
  return {
    major,
    dateStyle: { format: 'ISO', order: 'MDY' },
    intervalStyle: 'postgres',
    timeZone: 'UTC',
    extraFloatDigits: majorFacts(major).extraFloatDigits,
    byteaOutput: 'hex',
  };
}
