/** What needs the command that `run` starts: a server alone can neither act on the consumer nor see it end. */
import type { SourcePosition } from '../timeline/timeline.js';
import type { Diagnostic } from './diagnostic.js';
import type { Scenario } from './scenario.js';
import type { Expectation, ScenarioStep } from './steps.js';

const kinds: ReadonlySet<(ScenarioStep | Expectation)['kind']> = new Set(['consumer', 'check', 'output', 'exit']);

/** A warning at every step and expectation that `serve` passes over: nothing is ignored in silence. */
export function onlyUnderRun({ steps, expectations }: Pick<Scenario, 'steps' | 'expectations'>): readonly Diagnostic[] {
  return [...steps, ...expectations].flatMap(({ kind, source }) =>
    kinds.has(kind) && source !== undefined ? [passedOver(source)] : [],
  );
}

function passedOver(source: SourcePosition): Diagnostic {
  return {
    ...source,
    endLine: source.line,
    endColumn: source.column + 1,
    code: 'not-supported',
    severity: 'warning',
    message: 'this has an effect under `run` only',
    hint: null,
    related: [],
  };
}
