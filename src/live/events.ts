/** What happens on a server, for its owner: the sessions' events with their time, and for replication commands what they say. */
import { parseReplicationCommand, type ReplicationCommand } from '../protocol/replication-command.js';
import type { SessionEvent } from '../walsender/events.js';
import { WireError } from '../values/wire-error.js';

type Told<E> = E extends { readonly kind: 'query' } ? E & { readonly command: ReplicationCommand | null } : E;

/**
 * A session's event as the owner sees it. `time`: microseconds since 2000 by the server's clock; `command` of a query: what it
 * says as a replication command, null for SQL.
 */
export type LiveEvent = Told<SessionEvent> & { readonly time: bigint };
/** What happens: `connection`, `query`, `message:sent`, `feedback`, `fault`, `disconnect` … */
export type LiveEventKind = LiveEvent['kind'];
/** The event of a kind. */
export type LiveEventOf<K extends LiveEventKind> = Extract<LiveEvent, { readonly kind: K }>;

const kinds: Readonly<Record<LiveEventKind, true>> = {
  connection: true,
  startup: true,
  query: true,
  'query:unhandled': true,
  'replication:start': true,
  'message:sent': true,
  'keepalive:sent': true,
  'replication:caughtUp': true,
  feedback: true,
  'replication:leave': true,
  'replication:end': true,
  'slot:create': true,
  'slot:drop': true,
  fault: true,
  consumer: true,
  'wait:met': true,
  'wait:unmet': true,
  'error:sent': true,
  internalError: true,
  disconnect: true,
};

/** Every kind there is. */
export const eventKinds: ReadonlySet<string> = new Set(Object.keys(kinds));

/** Makes LiveEvents of the events of one server's sessions. */
export class EventTeller {
  readonly #walsenders = new Set<number>();

  constructor(private readonly major: number) {}

  tell(event: SessionEvent, time: bigint): LiveEvent {
    if (event.kind === 'startup' && event.replication !== 'off') this.#walsenders.add(event.pid);
    if (event.kind === 'disconnect') this.#walsenders.delete(event.pid);
    if (event.kind !== 'query') return { ...event, time };
    return { ...event, time, command: this.#walsenders.has(event.pid) ? this.#command(event.text) : null };
  }

  #command(text: string): ReplicationCommand | null {
    try {
      return parseReplicationCommand(text, this.major)?.command ?? null;
    } catch (error) {
      if (error instanceof WireError) return null;
      throw error;
    }
  }
}
