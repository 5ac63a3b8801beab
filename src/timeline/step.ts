/** The steps that a walsender performs when it reaches their place in a timeline. Times are in milliseconds. */
import type { WireErrorFields } from '../values/wire-error.js';
import type { Step } from './timeline.js';

/** Names the WAL position. */
export interface LabelStep extends Step {
  readonly kind: 'label';
  readonly name: string;
}

/** Holds back the WAL after it, for every walsender. Begins when the first of them gets here. */
export interface WaitStep extends Step {
  readonly kind: 'wait';
  readonly milliseconds: number;
}

export interface KeepaliveStep extends Step {
  readonly kind: 'keepalive';
  readonly replyRequested: boolean;
}

/** What happens to one connection, when the place is reached for the first time (`times`: so many times). */
interface FaultStep extends Step {
  /** Absent: 1. */
  readonly times?: number;
  /** Only to the walsender of this slot. */
  readonly slot?: string;
}

/** reset: at once; close: in good order; terminate: as pg_terminate_backend does; half-open: silence, the socket stays open. */
export interface DisconnectStep extends FaultStep {
  readonly kind: 'disconnect';
  readonly how: 'reset' | 'close' | 'terminate' | 'half-open';
}

/** ErrorResponse; the stream is over, unless it is FATAL the connection is not. */
export interface ErrorStep extends FaultStep {
  readonly kind: 'error';
  readonly error: WireErrorFields;
}

/** No data, and without `keepalives` nothing else. */
export interface StallStep extends FaultStep {
  readonly kind: 'stall';
  readonly milliseconds: number;
  readonly keepalives: boolean;
}

export type WalsenderStep = LabelStep | WaitStep | KeepaliveStep | DisconnectStep | ErrorStep | StallStep;
