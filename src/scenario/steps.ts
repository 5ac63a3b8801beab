/** What the walsender does at a place of the stream besides sending data, and what a verdict expects: typed and checked. */
import type { MessageKind } from '../pgoutput/messages.js';
import type { SourcePosition, Step } from '../timeline/timeline.js';
import type { WireErrorFields } from '../values/wire-error.js';
import type { PgType } from '../postgres/pg-type.js';

/** An LSN, or the name of a label; `end` in expectations is the end of what was sent to a slot. */
export type Position = bigint | string;

/** What happens to one connection. Absent: `slot`, whichever connection reaches the place; `times`, 1. */
interface FaultStep extends Step {
  /** Only on this slot's connection. */
  readonly slot?: string;
  /** How often it happens before it is passed over. */
  readonly times?: number;
}

/** A step of the stream that is no change of rows: something that the server does at its place. */
export type ScenarioStep =
  /** Names the WAL position. */
  | (Step & { readonly kind: 'label'; readonly name: string })
  /** Holds back the WAL after it, for every walsender. Begins when the first of them gets here. */
  | (Step & { readonly kind: 'wait'; readonly milliseconds: number })
  /** As `wait`, until the slot (each its own where absent) has confirmed the position. */
  | (Step & {
      readonly kind: 'waitFor';
      readonly flushed: Position;
      readonly withinMilliseconds: number;
      readonly slot?: string;
    })
  | KeepaliveStep
  /** From here on none at all, or again. `times` absent: for each connection that comes by. */
  | (FaultStep & { readonly kind: 'keepalives'; readonly sent: boolean })
  /**
   * reset: RST once the peer's system has all bytes; close: in good order; terminate: 57P01 first; half-open: silence, the
   * socket stays open; black-hole: besides, what the client does is not noticed; copy_done: the server ends the stream, the
   * connection goes on.
   */
  | (FaultStep & {
      readonly kind: 'disconnect';
      readonly how: 'reset' | 'close' | 'half-open' | 'black-hole' | 'terminate' | 'copy_done';
    })
  /** ErrorResponse: the stream is over, unless it is FATAL the connection is not. */
  | (FaultStep & { readonly kind: 'error'; readonly error: WireErrorFields })
  /** No data, and without `keepalives` nothing else. */
  | (FaultStep & {
      readonly kind: 'stall';
      readonly milliseconds: number;
      readonly keepalives: boolean;
      /** Inside the next message of this kind, after `at` bytes of its CopyData. */
      readonly inside?: { readonly in: 'next_message' | MessageKind; readonly at: number };
    })
  | NetworkStep
  /** Closes inside a CopyData message after `at` of its bytes. */
  | (FaultStep & {
      readonly kind: 'cut';
      readonly in: 'next_message' | MessageKind;
      readonly at: number;
      /** Default close. */
      readonly how?: 'close' | 'reset' | 'half-open' | 'black-hole';
    })
  /** The next message of this kind is not sent. */
  | (FaultStep & { readonly kind: 'skip'; readonly message: 'next_message' | MessageKind })
  | (FaultStep & { readonly kind: 'notice'; readonly notice: WireErrorFields })
  | (FaultStep & {
      readonly kind: 'parameter';
      readonly parameters: readonly { readonly name: string; readonly value: string }[];
    })
  | (FaultStep & { readonly kind: 'wire'; readonly bytes: WireBytes })
  | (FaultStep & { readonly kind: 'resend'; readonly from: Position })
  | (FaultStep & {
      readonly kind: 'invalidateSlot';
      readonly reason: 'wal_removed' | 'rows_removed' | 'wal_level_insufficient' | 'idle_timeout';
    })
  | (FaultStep & { readonly kind: 'dropSlot'; readonly name: string })
  /** `at` absent: here. */
  | (FaultStep & { readonly kind: 'recreateSlot'; readonly name: string; readonly at?: Position })
  /** Who connects gets 57P03. */
  | (FaultStep & { readonly kind: 'refuse'; readonly milliseconds: number })
  /** Fast shutdown; for `downMilliseconds` at least nobody gets in. */
  | (FaultStep & { readonly kind: 'shutdown'; readonly downMilliseconds: number })
  | (FaultStep & {
      readonly kind: 'failover';
      readonly timeline: number;
      readonly downMilliseconds?: number;
      /** Slots that survive stand no further than this. */
      readonly syncedTo?: Position;
    })
  | (Step & { readonly kind: 'consumer'; readonly action: 'kill' | 'stop' | 'restart' | 'crash' });

/** Keepalives beside those that the walsender sends anyway. `times` absent: for each connection that comes by. */
export interface KeepaliveStep extends FaultStep {
  readonly kind: 'keepalive';
  readonly replyRequested: boolean;
  /** Default 1. */
  readonly count?: number;
  /** Between two of them; the stream waits for the last one. Absent: all at once. */
  readonly everyMilliseconds?: number;
  /** Absent: where the stream stands; bytes: as far from there, for the nth keepalive n times as far. */
  readonly walEnd?: Position | { readonly bytes: bigint };
  /** Microseconds since 2000, instead of the clock's. */
  readonly time?: bigint;
}

/** Undefined: as before. Not a fault: it applies to each connection that comes by. */
export interface NetworkStep extends FaultStep {
  readonly kind: 'network';
  /** Bytes per segment; Infinity: off. */
  readonly chunk: number | undefined;
  readonly delayMilliseconds: number | undefined;
  /** Bytes per second; Infinity: off. */
  readonly bandwidth: number | undefined;
  readonly coalesce: boolean | undefined;
}

/** Bytes that no server would send. */
export type WireBytes =
  /** A payload, in an XLogData message. */
  | { readonly kind: 'payload'; readonly bytes: Uint8Array }
  /** On the socket as they are. */
  | { readonly kind: 'frame'; readonly bytes: Uint8Array }
  /** The next message of this kind with one byte of its payload changed. */
  | { readonly kind: 'corrupt'; readonly message: MessageKind; readonly byte: number; readonly to: number };

interface At {
  readonly source: SourcePosition;
}

/** An entry of `answers:`. Undefined: whatever it is. */
export interface Answer extends At {
  /** The exact text of a query, or a pattern; or `on`: connect, tls, auth, ready, or a replication command's keyword. */
  readonly to: { readonly query: string | RegExp } | { readonly on: string };
  readonly when: {
    readonly user: string | undefined;
    readonly database: string | undefined;
    readonly applicationName: string | undefined;
    readonly tls: boolean | undefined;
    readonly replication: boolean | undefined;
  };
  /** Infinity: always. */
  readonly times: number;
  readonly delayMilliseconds: number;
  /** Sent first. */
  readonly notices: readonly WireErrorFields[];
  readonly parameters: readonly (readonly [name: string, value: string])[];
  /** Null: what the server answers itself. */
  readonly outcome: AnswerOutcome | null;
}

/** What an entry of `answers:` answers. */
export type AnswerOutcome =
  | {
      readonly kind: 'rows';
      readonly rows: readonly (readonly (string | null)[])[];
      readonly columns: readonly { readonly name: string; readonly type: PgType; readonly typeModifier: number }[];
    }
  | { readonly kind: 'error'; readonly error: WireErrorFields }
  | { readonly kind: 'disconnect'; readonly how: 'reset' | 'close' | 'half-open' }
  /** There is no TLS. */
  | { readonly kind: 'refuse' }
  | { readonly kind: 'askFor'; readonly method: 'password' | 'md5' | 'gss' | 'sspi' | 'kerberos' }
  /** SASL mechanisms. */
  | { readonly kind: 'mechanisms'; readonly names: readonly string[] };

/** An entry of `expect:`. Slot undefined: for every slot used. Times in milliseconds; undefined: until the run ends. */
export type Expectation = At & { readonly slot: string | undefined } & (
    | { readonly kind: 'flushed'; readonly position: Position; readonly withinMilliseconds: number | undefined }
    | { readonly kind: 'connections'; readonly min: number; readonly max: number }
    | {
        readonly kind: 'reconnect';
        readonly withinMilliseconds: number | undefined;
        readonly startAtLeast: Position | undefined;
        readonly startAtMost: Position | undefined;
      }
    | {
        readonly kind: 'startReplication';
        readonly options: readonly { readonly name: string; readonly values: readonly string[] }[];
      }
    | { readonly kind: 'repliesToKeepalive'; readonly withinMilliseconds: number | undefined }
    /** Replication connections, and each further START_REPLICATION on one, accepted or not. Spacing in milliseconds. */
    | {
        readonly kind: 'attempts';
        readonly min: number;
        readonly max: number;
        readonly apartAtLeast: number | undefined;
        readonly apartAtMost: number | undefined;
      }
    | { readonly kind: 'startup'; readonly parameters: readonly { readonly name: string; readonly value: string }[] }
    | { readonly kind: 'shutdown' }
    | { readonly kind: 'slotDropped'; readonly dropped: boolean }
    | {
        readonly kind: 'never';
        readonly what: 'confirmed_unsent' | 'off_by_one' | 'confirmed_mid_transaction' | 'lsn_went_back' | 'copy_fail';
      }
    | { readonly kind: 'feedbackGap'; readonly milliseconds: number }
    | { readonly kind: 'neverFlushed'; readonly position: Position }
    | { readonly kind: 'neverError'; readonly code: string }
    /** `atMost` undefined and `times` undefined: at least once. */
    | {
        readonly kind: 'query';
        readonly matches: string | RegExp;
        readonly times: number | undefined;
        readonly atMost: number | undefined;
      }
    | { readonly kind: 'output'; readonly matches: string | RegExp }
    | { readonly kind: 'exit'; readonly status: 'success' | 'failure' | number }
    | { readonly kind: 'check'; readonly command: string; readonly withinMilliseconds: number | undefined }
  );
