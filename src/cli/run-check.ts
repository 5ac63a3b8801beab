/** `check:` commands: what never shows on the wire. */
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Expectation } from '../scenario/index.js';
import { Command } from './run-process.js';

export type Check = Extract<Expectation, { readonly kind: 'check' }>;

export interface CheckOutcome {
  readonly met: boolean;
  readonly text: string;
}

/** As much of a command's output as a verdict repeats. */
const repeated = 400;

const pause = 200;

export interface CheckOptions {
  readonly environment: Readonly<Partial<Record<string, string>>>;
  /** Monotonic milliseconds: what runs then is ended. */
  readonly deadline: number;
  /** Aborted: it is to end now. */
  readonly signal: AbortSignal;
  /** Whether the consumer has ended for good: one more try tells how things stay. */
  readonly consumerHasEnded: () => boolean;
}

/** Runs the command in the scenario's folder until it succeeds, or its time (`within`; without it, the first time) or the consumer is over. */
export async function runCheck(
  { command, withinMilliseconds = 0, source }: Check,
  { environment, deadline, signal, consumerHasEnded }: CheckOptions,
): Promise<CheckOutcome> {
  const end = Math.min(performance.now() + withinMilliseconds, deadline);
  for (;;) {
    // One that is begun in time may take some more.
    if (signal.aborted) return { met: false, text: 'it was not carried out: interrupted' };
    const isLast = consumerHasEnded();
    const outcome = await runOnce(command, dirname(source.file), environment, deadline, signal);
    if (outcome.met || isLast || performance.now() + pause > end) return outcome;
    await delay(pause);
  }
}

async function runOnce(
  command: string,
  cwd: string,
  environment: Readonly<Partial<Record<string, string>>>,
  deadline: number,
  signal: AbortSignal,
): Promise<CheckOutcome> {
  let output = '';
  const onOutput = (_: string, text: string): void => void (output = (output + text).slice(-repeated));
  const running = new Command([command], { environment, cwd, shell: true, onOutput });
  const limit = Math.max(1000, deadline - performance.now());
  const begin = performance.now();
  const kill = (): void => void running.kill();
  const timer = setTimeout(kill, limit);
  signal.addEventListener('abort', kill);
  const { status, problem } = await running.ended;
  clearTimeout(timer);
  signal.removeEventListener('abort', kill);
  const said = output.trim() === '' ? '' : `: ${output.trim()}`;
  if (problem !== undefined) return { met: false, text: `it could not be run: ${problem}` };
  if (performance.now() - begin >= limit) return { met: false, text: `it did not end in time${said}` };
  return { met: status === 0, text: `it ended with status ${status}${said}` };
}
