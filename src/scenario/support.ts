/** What the format can say and `serve` cannot do yet. `encode` passes over all of it, as its contract says. */
import type { SourcePosition } from '../timeline/timeline.js';
import type { Diagnostic } from './diagnostic.js';
import type { Scenario } from './scenario.js';
import type { ScenarioStep } from './steps.js';

const steps: readonly ScenarioStep['kind'][] = ['consumer'];

/** Errors at everything that a server started on this scenario would have to pass over: not to be ignored. */
export function notServedYet(scenario: Pick<Scenario, 'steps'>): readonly Diagnostic[] {
  return refused(scenario.steps, steps, 'this step is not served yet');
}

function refused<K extends string>(
  parts: readonly { readonly kind: K; readonly source?: SourcePosition }[],
  kinds: readonly K[],
  message: string,
): Diagnostic[] {
  return parts.flatMap(({ kind, source = { file: '', line: 1, column: 1 } }) => {
    if (!kinds.includes(kind)) return [];
    const end = { endLine: source.line, endColumn: source.column + 1 };
    return [{ ...source, ...end, code: 'not-supported', severity: 'error', message, hint: null, related: [] }];
  });
}
