/** `expect:`, checked against the stream. */
import type { ScenarioDocument } from '../document.js';
import type { Expectation as WrittenExpectation } from '../format/expect.js';
import type { Located } from '../source.js';
import type { Expectation, Position } from '../steps.js';
import type { Compilation } from './compilation.js';
import { milliseconds } from './steps.js';

export function expectationsOf(document: ScenarioDocument, compilation: Compilation): Expectation[] {
  return (document.expect ?? []).flatMap((expectation) => expectationOf(expectation, compilation) ?? []);
}

function expectationOf(written: WrittenExpectation, compilation: Compilation): Expectation | undefined {
  const { source } = written;
  const slot = 'slot' in written ? written.slot?.value : undefined;
  const within = (duration: Located<number> | undefined): number | undefined => duration && milliseconds(duration);
  const position = (at: Located<Position>): Position => compilation.position(at, 'in the stream') ?? at.value;
  switch (written.kind) {
    case 'flushed': {
      const flushed = written.flushed.value === 'end' ? 'end' : position(written.flushed);
      return { kind: 'flushed', position: flushed, withinMilliseconds: within(written.within), slot, source };
    }
    case 'connections': {
      const { min, max } = written.connections;
      checkRange(min, max, compilation);
      return { kind: 'connections', min: min?.value ?? 0, max: max?.value ?? Infinity, slot, source };
    }
    case 'reconnect': {
      const { within: limit, startLsn } = written.reconnect;
      return {
        kind: 'reconnect',
        withinMilliseconds: within(limit),
        startAtLeast: startLsn?.atLeast && position(startLsn.atLeast),
        startAtMost: startLsn?.atMost && position(startLsn.atMost),
        slot,
        source,
      };
    }
    case 'start_replication': {
      const options = written.startReplication.map(({ name, value }) => ({
        name: name.value,
        values: value.map((one) => one.value),
      }));
      return { kind: 'startReplication', options, slot, source };
    }
    case 'replies_to_keepalive':
      return {
        kind: 'repliesToKeepalive',
        withinMilliseconds: within(written.repliesToKeepalive.within),
        slot,
        source,
      };
    case 'attempts': {
      const { min, max, spacing } = written.attempts;
      checkRange(min, max, compilation);
      return {
        kind: 'attempts',
        min: min?.value ?? 0,
        max: max?.value ?? Infinity,
        apartAtLeast: within(spacing?.atLeast),
        apartAtMost: within(spacing?.atMost),
        slot,
        source,
      };
    }
    case 'startup': {
      const parameters = written.startup.map(({ name, value }) => ({ name: name.value, value: value.value }));
      return { kind: 'startup', parameters, slot, source };
    }
    case 'shutdown':
      return { kind: 'shutdown', slot, source };
    case 'slot_dropped':
      return { kind: 'slotDropped', dropped: written.slotDropped.value, slot, source };
    case 'never': {
      const never = written.never;
      if ('value' in never) return { kind: 'never', what: never.value, slot, source };
      if (never.flushed !== undefined) return { kind: 'neverFlushed', position: position(never.flushed), slot, source };
      if (never.error !== undefined) return { kind: 'neverError', code: never.error.value, slot, source };
      return never.feedbackGap && { kind: 'feedbackGap', milliseconds: milliseconds(never.feedbackGap), slot, source };
    }
    case 'query': {
      const { matches, times, atMost } = written.query;
      return { kind: 'query', matches: matches.value, times: times?.value, atMost: atMost?.value, slot, source };
    }
    case 'output':
      return { kind: 'output', matches: written.output.matches.value, slot, source };
    case 'exit':
      return { kind: 'exit', status: written.exit.value, slot, source };
    case 'check': {
      const { command, within: limit } = written.check;
      return { kind: 'check', command: command.value, withinMilliseconds: within(limit), slot, source };
    }
  }
}

function checkRange(
  min: Located<number> | undefined,
  max: Located<number> | undefined,
  compilation: Compilation,
): void {
  if (min === undefined || max === undefined || min.value <= max.value) return;
  compilation.report('invalid-value', max.at, `\`max\` is less than \`min\`, which is ${min.value}`);
}
