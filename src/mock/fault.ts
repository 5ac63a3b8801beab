/** `fault.*`: what the server does at a place of the stream besides sending data, one builder for each kind of step. */
import { durationMilliseconds, type Duration } from '../live/index.js';
import type { Position, ScenarioStep, WireBytes } from '../scenario/steps.js';
import { parseLsn } from '../values/lsn.js';
import type { WireErrorFields } from '../values/wire-error.js';

/** A step of this kind. */
export type StepOf<K extends ScenarioStep['kind']> = Extract<ScenarioStep, { readonly kind: K }>;

/** Where and how often a fault happens. */
export interface FaultScope {
  /** Only on this slot's connection; absent: on whichever comes to the place. */
  readonly slot?: string;
  /** How often before it is passed over; absent: once. Infinity: always. */
  readonly times?: number;
}

/** @param text an LSN such as `0/16B3748`, or the name of a label */
function positionOf(position: Position): Position {
  return typeof position === 'string' && /^[0-9A-F]{1,8}\/[0-9A-F]{1,8}$/i.test(position)
    ? parseLsn(position)
    : position;
}

/** Faults by kind: published, one stands in WAL and happens when a stream comes to it; injected, it happens now. */
export const fault = {
  /** Names the WAL position, for `waitFor` and `resend`. */
  label: (name: string): StepOf<'label'> => ({ kind: 'label', name }),

  /** Holds back the WAL after it, for every walsender. */
  wait: (time: Duration): StepOf<'wait'> => ({ kind: 'wait', milliseconds: durationMilliseconds(time) }),

  /** As `wait`, until the slot (each its own where absent) has confirmed the position: an LSN or a label. Default 10s. */
  waitFor: (
    flushed: Position,
    { within = '10s', slot }: { readonly within?: Duration; readonly slot?: string } = {},
  ): StepOf<'waitFor'> => ({
    kind: 'waitFor',
    flushed: positionOf(flushed),
    withinMilliseconds: durationMilliseconds(within),
    ...(slot !== undefined && { slot }),
  }),

  /**
   * `reply`: the client is to answer at once. `count` of them, `every` so often; `walEnd`: what they say instead of where the
   * stream stands (an LSN, a label, or so many bytes further), `time`: microseconds since 2000.
   */
  keepalive: ({
    reply = false,
    every,
    walEnd,
    ...more
  }: FaultScope & {
    readonly reply?: boolean;
    readonly count?: number;
    readonly every?: Duration;
    readonly walEnd?: StepOf<'keepalive'>['walEnd'];
    readonly time?: bigint;
  } = {}): StepOf<'keepalive'> => ({
    kind: 'keepalive',
    replyRequested: reply,
    ...(every !== undefined && { everyMilliseconds: durationMilliseconds(every) }),
    ...(walEnd !== undefined && { walEnd: typeof walEnd === 'object' ? walEnd : positionOf(walEnd) }),
    ...more,
  }),

  /** From here on none at all, or again. */
  keepalives: (sent: boolean, scope: FaultScope = {}): StepOf<'keepalives'> => ({ kind: 'keepalives', sent, ...scope }),

  /**
   * reset: at once; close: in good order; terminate: 57P01 first; half-open: silence, the socket stays open; copy_done: the
   * server ends the stream, the connection goes on.
   */
  disconnect: (how: StepOf<'disconnect'>['how'] = 'reset', scope: FaultScope = {}): StepOf<'disconnect'> => ({
    kind: 'disconnect',
    how,
    ...scope,
  }),

  /** ErrorResponse: the stream is over; with severity FATAL the connection is, too. */
  error: (error: WireErrorFields, scope: FaultScope = {}): StepOf<'error'> => ({ kind: 'error', error, ...scope }),

  /** No data for so long, and without `keepalives` nothing else either; `inside`: in the middle of a message. */
  stall: (
    time: Duration,
    {
      keepalives = false,
      inside,
      ...scope
    }: FaultScope & { readonly keepalives?: boolean; readonly inside?: StepOf<'stall'>['inside'] } = {},
  ): StepOf<'stall'> => ({
    kind: 'stall',
    milliseconds: durationMilliseconds(time),
    keepalives,
    ...(inside && { inside }),
    ...scope,
  }),

  /** From here on: `chunk` bytes per segment ('off': as they come), `delay`, `bandwidth` in bytes per second. */
  network: ({
    chunk,
    delay,
    bandwidth,
    coalesce,
    ...scope
  }: Omit<FaultScope, 'times'> & {
    readonly chunk?: number | 'off';
    readonly delay?: Duration;
    readonly bandwidth?: number;
    readonly coalesce?: boolean;
  }): StepOf<'network'> => ({
    kind: 'network',
    chunk: chunk === 'off' ? Infinity : chunk,
    delayMilliseconds: delay === undefined ? undefined : durationMilliseconds(delay),
    bandwidth,
    coalesce,
    ...scope,
  }),

  /** The connection ends inside a message, after `at` bytes of its CopyData. */
  cut: (
    at: number,
    {
      in: message = 'next_message',
      ...scope
    }: FaultScope & { readonly in?: StepOf<'cut'>['in']; readonly how?: NonNullable<StepOf<'cut'>['how']> } = {},
  ): StepOf<'cut'> => ({ kind: 'cut', in: message, at, ...scope }),

  /** The next message of this kind is not sent. */
  skip: (message: StepOf<'skip'>['message'] = 'next_message', scope: FaultScope = {}): StepOf<'skip'> => ({
    kind: 'skip',
    message,
    ...scope,
  }),

  /** NoticeResponse: a warning, say. */
  notice: (notice: WireErrorFields, scope: FaultScope = {}): StepOf<'notice'> => ({ kind: 'notice', notice, ...scope }),

  /** ParameterStatus: as when a setting is changed while the client streams. */
  parameter: (parameters: Readonly<Record<string, string>>, scope: FaultScope = {}): StepOf<'parameter'> => ({
    kind: 'parameter',
    parameters: Object.entries(parameters).map(([name, value]) => ({ name, value })),
    ...scope,
  }),

  /** Bytes that no server would send: a payload in XLogData, a frame as it is, or one changed byte of the next message of a kind. */
  wire: (bytes: WireBytes, scope: FaultScope = {}): StepOf<'wire'> => ({ kind: 'wire', bytes, ...scope }),

  /** Everything from a position (an LSN or a label) on once more. */
  resend: (from: Position, scope: FaultScope = {}): StepOf<'resend'> => ({
    kind: 'resend',
    from: positionOf(from),
    ...scope,
  }),

  /** The slot cannot be used any more, and whoever streams from it is ended. */
  invalidateSlot: (reason: StepOf<'invalidateSlot'>['reason'], scope: FaultScope = {}): StepOf<'invalidateSlot'> => ({
    kind: 'invalidateSlot',
    reason,
    ...scope,
  }),

  /** The slot is gone, and whoever streams from it is ended. */
  dropSlot: (name: string, scope: FaultScope = {}): StepOf<'dropSlot'> => ({ kind: 'dropSlot', name, ...scope }),

  /** Dropped and made anew, `at` an LSN or a label; absent: here. */
  recreateSlot: (
    name: string,
    { at, ...scope }: FaultScope & { readonly at?: Position } = {},
  ): StepOf<'recreateSlot'> => ({
    kind: 'recreateSlot',
    name,
    ...(at !== undefined && { at: positionOf(at) }),
    ...scope,
  }),

  /** For so long who connects gets 57P03. */
  refuse: (time: Duration, scope: FaultScope = {}): StepOf<'refuse'> => ({
    kind: 'refuse',
    milliseconds: durationMilliseconds(time),
    ...scope,
  }),

  /** Fast shutdown; for `down` at least nobody gets in. */
  shutdown: ({ down = 0, ...scope }: FaultScope & { readonly down?: Duration } = {}): StepOf<'shutdown'> => ({
    kind: 'shutdown',
    downMilliseconds: durationMilliseconds(down),
    ...scope,
  }),

  /** To a standby on this timeline; `syncedTo`: slots that survive stand no further than this. */
  failover: (
    timeline: number,
    { down, syncedTo, ...scope }: FaultScope & { readonly down?: Duration; readonly syncedTo?: Position } = {},
  ): StepOf<'failover'> => ({
    kind: 'failover',
    timeline,
    ...(down !== undefined && { downMilliseconds: durationMilliseconds(down) }),
    ...(syncedTo !== undefined && { syncedTo: positionOf(syncedTo) }),
    ...scope,
  }),

  /** For whoever runs the consumer, and hears of it as an event: `server.events.on('consumer', …)`. */
  consumer: (action: StepOf<'consumer'>['action']): StepOf<'consumer'> => ({ kind: 'consumer', action }),
};
