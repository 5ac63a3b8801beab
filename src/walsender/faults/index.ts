/** Every fault by its kind. */
import type { ScenarioStep } from '../../scenario/steps.js';
import type { Step } from '../../timeline/timeline.js';
import { consumer } from './consumer.js';
import { cut } from './cut.js';
import { disconnect } from './disconnect.js';
import { dropSlot, recreateSlot } from './drop-slot.js';
import { error } from './error.js';
import { failover } from './failover.js';
import type { Fault, FaultContext, FaultKind, FaultOutcome, FaultStep } from './fault.js';
import { invalidateSlot } from './invalidate-slot.js';
import { keepalive, keepalives } from './keepalive.js';
import { network } from './network.js';
import { notice, parameter } from './notice.js';
import { resend } from './resend.js';
import { refuse, shutdown } from './shutdown.js';
import { skip } from './skip.js';
import { stall } from './stall.js';
import { wire } from './wire.js';

const faults: { readonly [K in FaultKind]: Fault<K> } = {
  consumer,
  cut,
  disconnect,
  dropSlot,
  error,
  failover,
  invalidateSlot,
  keepalive,
  keepalives,
  network,
  notice,
  parameter,
  recreateSlot,
  refuse,
  resend,
  shutdown,
  skip,
  stall,
  wire,
};

/** What belongs to the stream, and so happens to every connection that comes by. */
const recurring: ReadonlySet<ScenarioStep['kind']> = new Set(['keepalive', 'keepalives', 'network']);

/** What happens to the server, whichever connection comes to it: once. */
const serverWide: ReadonlySet<ScenarioStep['kind']> = new Set([
  ...(['dropSlot', 'recreateSlot', 'refuse', 'shutdown', 'failover', 'consumer'] as const),
]);

export function isServerWide(step: ScenarioStep): boolean {
  return serverWide.has(step.kind);
}

export function isFault(step: Step): step is FaultStep {
  return Object.hasOwn(faults, step.kind);
}

/** How often it happens before it is passed over. */
export function timesOf(step: FaultStep): number {
  const times = 'times' in step ? step.times : undefined;
  return times ?? (recurring.has(step.kind) ? Infinity : 1);
}

/** @throws WireError when that is what the client is to get */
export function performFault(step: FaultStep, context: FaultContext): FaultOutcome {
  const fault = faults[step.kind] as (step: FaultStep, context: FaultContext) => FaultOutcome;
  return fault(step, context);
}
