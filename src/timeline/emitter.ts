/** The contract between decoding (timeline/emit) and whoever takes its messages: the walsender, `encode`, the SQL functions. */
import type { OutputSettings } from '../postgres/pg-type.js';
import type { Message, MessageKind, Streaming } from '../pgoutput/messages.js';
import type { WireError } from '../values/wire-error.js';
import type { SourcePosition, Step } from './timeline.js';

/** pgoutput's options, already validated. */
export interface PgoutputOptions {
  readonly protoVersion: number;
  readonly publicationNames: readonly string[];
  readonly binary: boolean;
  readonly messages: boolean;
  readonly streaming: Streaming;
  readonly twoPhase: boolean;
  readonly origin: 'any' | 'none';
}

export interface EmitSession {
  readonly slotName: string;
  readonly options: PgoutputOptions;
  readonly settings: OutputSettings;
  /** Only transactions whose commit record starts at or after this are sent: max(requested LSN, confirmed_flush_lsn). */
  readonly startLsn: bigint;
  /** The slot's property, which outlives the option. */
  readonly twoPhase: boolean;
  /** Prepares before this LSN are sent whole at COMMIT PREPARED. */
  readonly twoPhaseAt: bigint;
  /** The stream is decoded after all of it was written: what was rolled back is known before it is streamed. */
  readonly late: boolean;
  /** debug_logical_replication_streaming = immediate (16 and later): every change is a block, those of aborted transactions too. */
  readonly immediate?: boolean;
}

export interface EmitSink {
  /**
   * One pgoutput message. `lsn` is XLogData's start and end, `time` its send time (the transaction's commit time),
   * `xid` the top-level transaction's, 0 outside one.
   */
  message(message: Message, lsn: bigint, time: bigint, xid: number): void;
  /** A NoticeResponse inside the stream. */
  notice(notice: WireError): void;
}

export interface Emitter {
  /** Decodes one change or event more. Errors of the output plugin are thrown as WireError. */
  next(): EmitProgress;
  /**
   * End of the last WAL record decoded: what keepalives say, and clients confirm. It moves only once everything that the
   * record gives has gone to the sink, and depends on WAL alone, not on where the session starts (which may be in the
   * future); 0n before the first record.
   */
  readonly position: bigint;
  /**
   * More of the same transaction or block must follow: from its first event on (also while an empty Begin is held back)
   * until Commit, Prepare or Stream Stop have gone to the sink, or it turned out to be empty.
   */
  readonly inTransaction: boolean;
}

/** What `createEmitter` makes: it knows the scenario's lines, too. */
export interface LocatedEmitter extends Emitter {
  /**
   * Where the scenario says what a message of this kind tells. To be asked while the sink is given the message: it costs
   * nothing where nobody asks. Undefined for what has no text, as statements of a program.
   */
  sourceOf(kind: MessageKind): SourcePosition | undefined;
}

export type EmitProgress =
  /** Something was decoded; messages may have gone to the sink. */
  | { readonly kind: 'decoded' }
  /** A transaction of which nothing was sent ended here (a keepalive may tell so). */
  | { readonly kind: 'skipped'; readonly endLsn: bigint }
  | { readonly kind: 'step'; readonly step: Step; readonly lsn: bigint }
  /** Nothing more, for now or for ever. */
  | { readonly kind: 'idle' };
