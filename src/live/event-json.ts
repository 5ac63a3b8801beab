/** Events as JSON values: what `serve --log json` prints and the control endpoint's history shows. */
import { messageToJson } from '../pgoutput/index.js';
import { formatHex } from '../values/hex.js';
import { formatLsn } from '../values/lsn.js';
import { formatTimestamp } from '../values/timestamp.js';
import { WireError } from '../values/wire-error.js';
import type { LiveEvent } from './events.js';

/**
 * The event's fields: LSNs as `X/X`, times in ISO 8601 with six decimals and Z, bytes in hexadecimal, messages as `encode`
 * prints them. What a command says is in its text.
 */
export function eventToJson(event: LiveEvent): unknown {
  const told = {
    ...event,
    time: formatTimestamp(event.time),
    command: undefined,
    ...(event.kind === 'message:sent' && { message: messageToJson(event.message) }),
  };
  return JSON.parse(JSON.stringify(told, plain));
}

function plain(key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return bigintToJson(key, value);
  if (value === Infinity) return 'Infinity';
  if (value instanceof Map) return Object.fromEntries(value) as unknown;
  if (value instanceof Uint8Array) return formatHex(value);
  if (value instanceof WireError) {
    const { severity, code, message, detail, hint } = value;
    return { severity, code, message, detail, hint };
  }
  if (value instanceof Error) return value.stack;
  return value;
}

/** Steps have times and distances, too. */
function bigintToJson(key: string, value: bigint): unknown {
  if (key === 'time') return formatTimestamp(value);
  return key === 'bytes' ? Number(value) : formatLsn(value);
}
