/** Labels, waits, network conditions and faults → steps of the timeline. */
import type { MessageKind } from '../../pgoutput/messages.js';
import type { WireErrorFields } from '../../values/wire-error.js';
import type { Change } from '../format/changes.js';
import { faultSteps, type FaultStep, type Offset } from '../format/faults.js';
import type { StreamStep } from '../format/stream.js';
import type { Located } from '../source.js';
import { quote } from '../suggestion.js';
import type { Position, ScenarioStep } from '../steps.js';
import type { Compilation } from './compilation.js';

export function isFault(step: Change | StreamStep): step is FaultStep {
  return Object.hasOwn(faultSteps, step.kind);
}

/** Undefined when it names a label that is not there (reported). */
export function scenarioStep(step: FaultStep, compilation: Compilation): ScenarioStep | undefined {
  const known = compilation.steps.get(step.at);
  if (known !== undefined) return known;
  const made = makeStep(step, compilation);
  if (made !== undefined) compilation.steps.set(step.at, made);
  return made;
}

function makeStep(step: FaultStep, compilation: Compilation): ScenarioStep | undefined {
  const { source } = step;
  switch (step.kind) {
    case 'label':
      return { kind: 'label', name: step.label.value, source };
    case 'wait':
      return { kind: 'wait', milliseconds: milliseconds(step.wait), source };
    case 'wait_for': {
      const { flushed, within, slot } = step.waitFor;
      const position = earlierPosition(flushed, compilation);
      if (position === undefined) return undefined;
      const withinMilliseconds = within === undefined ? 10_000 : milliseconds(within);
      return { kind: 'waitFor', flushed: position, withinMilliseconds, ...(slot && { slot: slot.value }), source };
    }
    case 'keepalive':
      return keepalive(step, compilation);
    case 'network': {
      const { chunk, delay, bandwidth, coalesce } = step.network;
      return {
        kind: 'network',
        ...(step.slot && { slot: step.slot.value }),
        chunk: chunk?.value === 'off' ? Infinity : chunk?.value,
        delayMilliseconds: delay && milliseconds(delay),
        bandwidth: bandwidth?.value,
        coalesce: coalesce?.value,
        source,
      };
    }
    case 'disconnect': {
      const how = 'how' in step.disconnect ? step.disconnect.how : step.disconnect;
      return { kind: 'disconnect', how: how.value, ...scope(step), source };
    }
    case 'error':
      return { kind: 'error', error: wireError(step.error), ...scope(step), source };
    case 'stall':
      return {
        kind: 'stall',
        milliseconds: milliseconds(step.stall),
        keepalives: step.keepalives?.value ?? false,
        ...(step.inside && { inside: { in: step.inside.in.value, at: step.inside.at.value } }),
        ...scope(step),
        source,
      };
    case 'cut':
      return {
        kind: 'cut',
        in: step.cut.in.value,
        at: step.cut.at.value,
        ...(step.cut.how && { how: step.cut.how.value }),
        ...scope(step),
        source,
      };
    case 'wire':
      return { kind: 'wire', bytes: wireBytes(step.wire), ...scope(step), source };
    case 'resend': {
      const from = earlierPosition(step.resend.from, compilation);
      return from === undefined ? undefined : { kind: 'resend', from, ...scope(step), source };
    }
    case 'invalidate_slot':
      checkReason(step.invalidateSlot.reason, compilation);
      return { kind: 'invalidateSlot', reason: step.invalidateSlot.reason.value, ...scope(step), source };
    case 'drop_slot':
      return { kind: 'dropSlot', name: step.dropSlot.value, ...scope(step), source };
    case 'recreate_slot': {
      const at = step.lsn && earlierPosition(step.lsn, compilation);
      return {
        kind: 'recreateSlot',
        name: step.recreateSlot.value,
        ...(at !== undefined && { at }),
        ...scope(step),
        source,
      };
    }
    case 'skip':
      return { kind: 'skip', message: step.skip.value, ...scope(step), source };
    case 'notice':
      return { kind: 'notice', notice: noticeOf(step.notice), ...scope(step), source };
    case 'parameter': {
      const parameters = step.parameter.map(({ name, value }) => ({ name: name.value, value: value.value }));
      return { kind: 'parameter', parameters, ...scope(step), source };
    }
    case 'refuse':
      return { kind: 'refuse', milliseconds: milliseconds(step.refuse), ...scope(step), source };
    case 'shutdown': {
      const { down } = step.shutdown;
      return {
        kind: 'shutdown',
        downMilliseconds: down === undefined ? 0 : milliseconds(down),
        ...scope(step),
        source,
      };
    }
    case 'failover': {
      const { timeline, down, syncedTo: written } = step.failover;
      const syncedTo = written && earlierPosition(written, compilation);
      return {
        kind: 'failover',
        timeline: timeline.value,
        ...(down && { downMilliseconds: milliseconds(down) }),
        ...(syncedTo !== undefined && { syncedTo }),
        ...scope(step),
        source,
      };
    }
    case 'consumer':
      return { kind: 'consumer', action: step.consumer.value, source };
  }
}

type FaultOf<K extends FaultStep['kind']> = Extract<FaultStep, { readonly kind: K }>;

function keepalive(step: FaultOf<'keepalive'>, compilation: Compilation): ScenarioStep | undefined {
  const { keepalive: written, source } = step;
  if (written !== null && 'value' in written) {
    return { kind: 'keepalives', sent: written.value === 'on', ...scope(step), source };
  }
  const { reply, count, every, walEnd: end, clock } = written ?? {};
  const walEnd = end && distanceOrPosition(end, compilation);
  return {
    kind: 'keepalive',
    replyRequested: reply?.value ?? false,
    ...(count && { count: count.value }),
    ...(every && { everyMilliseconds: milliseconds(every) }),
    ...(walEnd !== undefined && { walEnd }),
    ...(clock && { time: clock.value }),
    ...scope(step),
    source,
  };
}

function distanceOrPosition(
  { value, at }: Located<Position | Offset>,
  compilation: Compilation,
): Position | Offset | undefined {
  return typeof value === 'object' ? value : earlierPosition({ value, at }, compilation);
}

/** Since which major slots are lost for this reason; up to 12 walsenders just find that their WAL is gone. */
const reasonSince: Readonly<Record<FaultOf<'invalidate_slot'>['invalidateSlot']['reason']['value'], number>> = {
  wal_removed: 10,
  rows_removed: 16,
  wal_level_insufficient: 16,
  idle_timeout: 18,
};

function checkReason(
  { value, at }: FaultOf<'invalidate_slot'>['invalidateSlot']['reason'],
  compilation: Compilation,
): void {
  if (compilation.major >= reasonSince[value]) return;
  const known = Object.entries(reasonSince).filter(([, since]) => compilation.major >= since);
  compilation.report(
    'refused-by-server',
    at,
    `a server of version ${compilation.major} loses no slots for ${quote(value)}`,
    {
      hint: `its reasons are ${known.map(([reason]) => quote(reason)).join(', ')}`,
    },
  );
}

/** A label must stand before what refers to it: afterwards there is nothing to wait for or to send again. */
function earlierPosition(position: Located<Position>, compilation: Compilation): Position | undefined {
  return compilation.position(position, 'before this step');
}

export function milliseconds(duration: Located<number>): number {
  return duration.value / 1000;
}

function scope(step: { readonly slot: Located<string> | undefined; readonly times: Located<number> | undefined }): {
  readonly slot?: string;
  readonly times?: number;
} {
  return { ...(step.slot && { slot: step.slot.value }), ...(step.times && { times: step.times.value }) };
}

export function wireError(error: Extract<FaultStep, { kind: 'error' }>['error']): WireErrorFields {
  return {
    code: error.code.value,
    message: error.message.value,
    ...(error.severity && { severity: error.severity.value }),
    ...(error.detail && { detail: error.detail.value }),
    ...(error.hint && { hint: error.hint.value }),
    ...(error.context && { where: error.context.value }),
  };
}

export function noticeOf(written: FaultOf<'notice'>['notice']): WireErrorFields {
  const { severity, code, message, detail, hint, context } = written;
  return {
    severity: severity?.value ?? 'NOTICE',
    code: code?.value ?? (severity?.value === 'WARNING' ? '01000' : '00000'),
    message: message.value,
    ...(detail && { detail: detail.value }),
    ...(hint && { hint: hint.value }),
    ...(context && { where: context.value }),
  };
}

function wireBytes(
  wire: Extract<FaultStep, { kind: 'wire' }>['wire'],
): Extract<ScenarioStep, { kind: 'wire' }>['bytes'] {
  if (wire.hex !== undefined) return { kind: 'payload', bytes: wire.hex.value };
  if (wire.frame !== undefined) return { kind: 'frame', bytes: wire.frame.value };
  const message: MessageKind = wire.corrupt?.value ?? 'begin';
  return { kind: 'corrupt', message, byte: wire.byte?.value ?? 0, to: wire.to?.value ?? 0 };
}
