/** Labels, waits, network conditions and faults → steps of the timeline. */
import type { MessageKind } from '../../pgoutput/messages.js';
import type { WireErrorFields } from '../../values/wire-error.js';
import type { Change } from '../format/changes.js';
import { faultSteps, type FaultStep } from '../format/faults.js';
import type { StreamStep } from '../format/stream.js';
import type { Located } from '../source.js';
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
      return { kind: 'keepalive', replyRequested: step.keepalive.reply?.value ?? false, source };
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
    case 'disconnect':
      return { kind: 'disconnect', how: step.disconnect.how.value, ...scope(step), source };
    case 'error':
      return { kind: 'error', error: wireError(step.error), ...scope(step), source };
    case 'stall':
      return {
        kind: 'stall',
        milliseconds: milliseconds(step.stall),
        keepalives: step.keepalives?.value ?? false,
        ...scope(step),
        source,
      };
    case 'cut':
      return { kind: 'cut', in: step.cut.in.value, at: step.cut.at.value, ...scope(step), source };
    case 'wire':
      return { kind: 'wire', bytes: wireBytes(step.wire), ...scope(step), source };
    case 'resend': {
      const from = earlierPosition(step.resend.from, compilation);
      return from === undefined ? undefined : { kind: 'resend', from, ...scope(step), source };
    }
    case 'invalidate_slot':
      return { kind: 'invalidateSlot', reason: step.invalidateSlot.reason.value, ...scope(step), source };
    case 'drop_slot':
      return { kind: 'dropSlot', name: step.dropSlot.value, ...scope(step), source };
    case 'recreate_slot':
      return { kind: 'recreateSlot', name: step.recreateSlot.value, ...scope(step), source };
    case 'failover':
      return { kind: 'failover', timeline: step.failover.timeline.value, source };
    case 'consumer':
      return { kind: 'consumer', action: step.consumer.value, source };
  }
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
