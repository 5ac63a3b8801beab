/** What `serve` tells on stderr of what happens on its connections: a line for each event, to read or as JSON. */
import { formatLsn } from '../values/lsn.js';
import { eventToJson } from '../live/event-json.js';
import type { LiveEvent } from '../live/index.js';

export type LogFormat = 'text' | 'json' | 'off';

/** One line, without its end; undefined for what this format does not tell. */
export function logLine(event: LiveEvent, format: LogFormat): string | undefined {
  if (format === 'off') return undefined;
  return format === 'json' ? JSON.stringify(eventToJson(event)) : textLine(event);
}

/** Undefined for what is of no interest while everything goes well. */
function textLine(event: LiveEvent): string | undefined {
  const text = eventText(event);
  return text === undefined ? undefined : `[${event.pid}] ${text}`;
}

function eventText(event: LiveEvent): string | undefined {
  switch (event.kind) {
    case 'connection':
      return event.peer.address === null ? 'connection' : `connection from ${event.peer.address}:${event.peer.port}`;
    case 'startup': {
      const replication = { off: '', logical: ', logical replication', physical: ', physical replication' };
      return `user ${event.user}, database ${event.database}${replication[event.replication]}${event.tls ? ', TLS' : ''}`;
    }
    case 'query':
      return event.text;
    case 'query:unhandled':
      return `not understood (${event.reason}): ${event.text}`;
    case 'replication:start': {
      const options = event.options.map(({ name, value }) => `${name} ${value}`).join(', ');
      return `slot ${event.slot} streams from ${formatLsn(event.startLsn)} (${options})`;
    }
    case 'replication:end':
      return `slot ${event.slot} stops: ${event.reason}`;
    case 'fault':
      return `slot ${event.slot}: ${event.did}, at ${formatLsn(event.lsn)}`;
    case 'consumer':
      return `slot ${event.slot}: ${event.action} the consumer`;
    case 'wait:unmet':
      return `slot ${event.slot}: ${event.step.kind} went on without what it waited for`;
    case 'error:sent':
      return `${event.error.severity} ${event.error.code}: ${event.error.message}`;
    case 'internalError':
      return `internal error: ${event.error instanceof Error ? event.error.stack : String(event.error)}`;
    case 'disconnect':
      return `end: ${event.reason}`;
    case 'slot:create':
      return `slot ${event.slot} created`;
    case 'slot:drop':
      return `slot ${event.slot} dropped`;
    case 'wait:met':
    case 'replication:leave':
    case 'replication:caughtUp':
    case 'message:sent':
    case 'keepalive:sent':
    case 'feedback':
      return undefined;
  }
}
