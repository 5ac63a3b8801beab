/** What the walsender does at a place of the stream besides sending data, and what a verdict expects: typed and checked. */
import type { MessageKind } from '../pgoutput/messages.js';
import type { SourcePosition, Step } from '../timeline/timeline.js';
import type { WireErrorFields } from '../values/wire-error.js';
import type { PgType } from '../postgres/pg-type.js';

/** An LSN, or the name of a label; `end` in expectations is the end of what was sent to a slot. */
export type Position = bigint | string;

interface FaultScope {
  /** Only on this slot's connection; undefined: on whichever connection reaches the place. */
  readonly slot: string | undefined;
  /** How often it happens before it is passed over. */
  readonly times: number;
}

interface At {
  readonly source: SourcePosition;
}

export type ScenarioStep = Step &
  At &
  (
    | { readonly kind: 'label'; readonly name: string }
    | { readonly kind: 'wait'; readonly milliseconds: number }
    | {
        readonly kind: 'waitFor';
        readonly flushed: Position;
        readonly withinMilliseconds: number;
        readonly slot: string | undefined;
      }
    | ({ readonly kind: 'keepalive'; readonly reply: boolean } & FaultScope)
    | NetworkStep
    | ({ readonly kind: 'disconnect'; readonly how: 'reset' | 'close' | 'half-open' | 'terminate' } & FaultScope)
    | ({ readonly kind: 'error'; readonly error: WireErrorFields } & FaultScope)
    | ({ readonly kind: 'stall'; readonly milliseconds: number; readonly keepalives: boolean } & FaultScope)
    | ({ readonly kind: 'cut'; readonly in: 'next_message' | MessageKind; readonly at: number } & FaultScope)
    | ({ readonly kind: 'wire'; readonly bytes: WireBytes } & FaultScope)
    | ({ readonly kind: 'resend'; readonly from: Position } & FaultScope)
    | ({
        readonly kind: 'invalidateSlot';
        readonly reason: 'wal_removed' | 'rows_removed' | 'wal_level_insufficient' | 'idle_timeout';
      } & FaultScope)
    | ({ readonly kind: 'dropSlot' | 'recreateSlot'; readonly name: string } & FaultScope)
    | { readonly kind: 'failover'; readonly timeline: number }
    | { readonly kind: 'consumer'; readonly action: 'kill' | 'stop' | 'restart' }
  );

/** Undefined: as before. */
export interface NetworkStep extends At {
  readonly kind: 'network';
  readonly slot: string | undefined;
  /** Bytes per segment; Infinity: off. */
  readonly chunk: number | undefined;
  readonly delayMilliseconds: number | undefined;
  /** Bytes per second. */
  readonly bandwidth: number | undefined;
  readonly coalesce: boolean | undefined;
}

export type WireBytes =
  /** A payload, in an XLogData message. */
  | { readonly kind: 'payload'; readonly bytes: Uint8Array }
  /** On the socket as they are. */
  | { readonly kind: 'frame'; readonly bytes: Uint8Array }
  /** The next message of this kind with one byte of its payload changed. */
  | { readonly kind: 'corrupt'; readonly message: MessageKind; readonly byte: number; readonly to: number };

/** An entry of `answers:`. */
export type Answer = At & { /** Infinity: always. */ readonly times: number } & (
    | {
        readonly kind: 'query';
        /** The exact text, or a pattern. */
        readonly query: string | RegExp;
        readonly rows: readonly (readonly (string | null)[])[];
        readonly columns: readonly { readonly name: string; readonly type: PgType; readonly typeModifier: number }[];
      }
    | { readonly kind: 'queryError'; readonly query: string | RegExp; readonly error: WireErrorFields }
    /** `on`: connect, tls, auth, or a replication command's keyword. */
    | { readonly kind: 'eventError'; readonly on: string; readonly error: WireErrorFields }
  );

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
    | {
        readonly kind: 'never';
        readonly what: 'confirmed_unsent' | 'off_by_one' | 'confirmed_mid_transaction' | 'lsn_went_back';
      }
    | { readonly kind: 'feedbackGap'; readonly milliseconds: number }
    | { readonly kind: 'query'; readonly matches: string | RegExp; readonly times: number | undefined }
    | { readonly kind: 'check'; readonly command: string; readonly withinMilliseconds: number | undefined }
  );
