/** What a scenario asks of one connection besides data: the one interface of everything in this folder. */
import type { ScenarioStep } from '../../scenario/steps.js';
import type { SessionInside } from '../inside.js';
import type { PublishedDatabase } from '../published-database.js';
import type { Slot } from '../slot.js';
import type { StepPlace } from '../step-board.js';
import type { Interception } from './tampering.js';

/** Steps that every walsender performs for itself, rather than on its connection. */
type StreamKind = 'label' | 'wait' | 'waitFor';
export type FaultKind = Exclude<ScenarioStep['kind'], StreamKind>;
export type FaultOf<K extends FaultKind> = Extract<ScenarioStep, { readonly kind: K }>;
export type FaultStep = FaultOf<FaultKind>;

/** Why the stream does not go on. */
export interface Hold {
  /** Monotonic milliseconds; Infinity: for good. */
  readonly until: number;
  /** Nothing at all is sent and nothing is read: no keepalives, no answers. */
  readonly silent: boolean;
  /** Ends it before. */
  readonly isMet?: () => boolean;
  /** It is over: met, or its time is. Another hold may take its place. */
  readonly onEnd?: (met: boolean) => FaultOutcome | undefined;
}

/** goOn: with the stream; over: with the connection, or something else has taken care of what comes next. */
export type FaultOutcome = 'goOn' | 'over' | Hold;

/** The stream as faults see it. */
export interface FaultedStream {
  /** Where it stands: what keepalives say. */
  readonly position: bigint;
  readonly inTransaction: boolean;
  /** The client has sent CopyDone. */
  readonly leaving: boolean;
  /** When a walsender that hears no more ends by itself; Infinity: never. Monotonic milliseconds. */
  readonly timesOutAt: number;
  /** False: from here on the server sends none of itself. */
  keepalives: boolean;
  keepalive(walEnd: bigint, replyRequested: boolean, time?: bigint): void;
  /** Sends again from a position up to the place, or where that is null to where the stream stands. */
  resend(from: bigint, place: StepPlace | null): void;
  /** CopyDone, and whatever ends the command. */
  endCopy(): void;
}

export interface FaultContext {
  readonly session: SessionInside;
  readonly database: PublishedDatabase;
  readonly slot: Slot;
  readonly stream: FaultedStream;
  /** Where it happens. */
  readonly lsn: bigint;
  /** Null where the step does not stand in the timeline. */
  readonly place: StepPlace | null;
  /** Tells what is done now, in a few words, before it shows; `lsn`: where, if not here. */
  readonly report: (did: string, lsn?: bigint) => void;
  /** What is to be done waits for a message: its first byte is not sent yet when `act` is called, once. */
  readonly next: (kind: Interception['kind'], act: Interception['act']) => void;
  /** Holds the stream from inside `next`. */
  readonly hold: (hold: Hold) => void;
}

/** Does what the step says. @throws WireError when that is what the client is to get */
export type Fault<K extends FaultKind> = (step: FaultOf<K>, context: FaultContext) => FaultOutcome;
