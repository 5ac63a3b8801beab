/** What happens on the connections, for history, verdicts and logs. Passwords and keys are in none of them. */
import type { Message } from '../pgoutput/messages.js';
import type { PluginOption } from '../protocol/replication-command.js';
import type { ScenarioStep } from '../scenario/steps.js';
import type { WireError } from '../values/wire-error.js';
import type { Peer } from './wire.js';

interface EventBase {
  /** The session's process id. */
  readonly pid: number;
}

/** What happens on a connection. LSNs are bigints; `pid` tells which connection it is. */
export type SessionEvent =
  | (EventBase & { readonly kind: 'connection'; readonly peer: Peer })
  | (EventBase & {
      readonly kind: 'startup';
      readonly user: string;
      readonly database: string;
      readonly replication: ReplicationMode;
      readonly parameters: ReadonlyMap<string, string>;
      readonly tls: boolean;
    })
  /** A Query or Parse message, SQL or replication command. `parameters`: none of them are known at Parse. */
  | (EventBase & { readonly kind: 'query'; readonly text: string; readonly protocol: 'simple' | 'extended' })
  /** Nobody could answer it: the client got 0A000. */
  | (EventBase & { readonly kind: 'query:unhandled'; readonly text: string; readonly reason: string })
  | (EventBase & {
      readonly kind: 'replication:start';
      readonly slot: string;
      /** What the client asked for, and where the stream does begin. */
      readonly requestedLsn: bigint;
      readonly startLsn: bigint;
      /** Where the slot stood. */
      readonly confirmedLsn: bigint;
      readonly options: readonly PluginOption[];
    })
  | (EventBase & {
      readonly kind: 'message:sent';
      readonly slot: string;
      readonly message: Message;
      readonly lsn: bigint;
      readonly xid: number;
    })
  | (EventBase & {
      readonly kind: 'keepalive:sent';
      readonly slot: string;
      readonly walEnd: bigint;
      readonly replyRequested: boolean;
    })
  /** There is no more WAL (and no hold): `lsn` is the furthest position of what this stream has sent, 0 for nothing. */
  | (EventBase & { readonly kind: 'replication:caughtUp'; readonly slot: string; readonly lsn: bigint })
  | (EventBase & {
      readonly kind: 'feedback';
      readonly slot: string;
      readonly writeLsn: bigint;
      readonly flushLsn: bigint;
      readonly applyLsn: bigint;
      readonly replyRequested: boolean;
    })
  /** The client ends the stream from its side; `replication:end` follows, after CopyDone once the transaction under way is out. */
  | (EventBase & {
      readonly kind: 'replication:leave';
      readonly slot: string;
      readonly how: 'copyDone' | 'copyFail' | 'terminate' | 'close' | 'reset';
    })
  | (EventBase & {
      readonly kind: 'replication:end';
      readonly slot: string;
      readonly reason: 'copyDone' | 'shutdown' | 'error' | 'disconnect';
    })
  /** By a client; what faults do to slots is told as `fault`. */
  | (EventBase & { readonly kind: 'slot:create' | 'slot:drop'; readonly slot: string })
  /**
   * Something was done because the scenario, or somebody, asked for it. `did` says what, to the byte; `lsn` where: the step's,
   * or that of the message which it happened to (0 for a Relation or Type).
   */
  | (EventBase & {
      readonly kind: 'fault';
      readonly slot: string;
      readonly step: ScenarioStep;
      readonly lsn: bigint;
      readonly did: string;
    })
  /** The consumer is to be killed, stopped or restarted, by whoever runs it. */
  | (EventBase & {
      readonly kind: 'consumer';
      readonly slot: string;
      readonly action: Extract<ScenarioStep, { readonly kind: 'consumer' }>['action'];
      readonly lsn: bigint;
    })
  /** A `wait_for` goes on: with what it waited for, or without. */
  | (EventBase & { readonly kind: 'wait:met' | 'wait:unmet'; readonly slot: string; readonly step: ScenarioStep })
  | (EventBase & { readonly kind: 'error:sent'; readonly error: WireError })
  /** An exception that is nobody's fault but this program's. */
  | (EventBase & { readonly kind: 'internalError'; readonly error: unknown })
  /** `reason` in a few words: `client closed`, `terminate`, `wal_sender_timeout` … */
  | (EventBase & { readonly kind: 'disconnect'; readonly reason: string });

/** false: an ordinary connection; database: replication=database; true: a physical walsender. */
export type ReplicationMode = 'off' | 'logical' | 'physical';
