/** Compares every stream of a run with what the product makes of the run's history. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildHistory } from '../history/build-history.js';
import type { StreamRun, VariantRun, WorkloadRun } from '../run/run.js';
import { writeScenario } from '../scenario/write-scenario.js';
import { firstDifference } from './difference.js';
import { emulate, type Sent } from './emulate.js';

export interface Result {
  readonly workload: string;
  readonly major: number;
  readonly variant: string;
  readonly identical: boolean;
  /** The first difference, explained; null when there is none. */
  readonly difference: string | null;
}

/** @param keep - folder for the scenarios written */
export function compareRun(workload: string, run: WorkloadRun, keep: string | undefined): Result[] {
  const history = buildHistory(run);
  return run.variants.map((variantRun) => {
    const variant = variantRun.variant.name;
    const differences = variantRun.streams.map((stream) => {
      const write = (): string => {
        const scenario = writeScenario(`${workload} on ${run.major}, ${variant}`, run, history, stream);
        if (keep !== undefined) keepScenario(keep, [workload, run.major, variant, stream.at].join('-'), scenario);
        return scenario;
      };
      return compareStream(run, variantRun, stream, write);
    });
    const difference = differences.find((text) => text !== null) ?? null;
    return { workload, major: run.major, variant, identical: difference === null, difference };
  });
}

function compareStream(
  run: WorkloadRun,
  variantRun: VariantRun,
  stream: StreamRun,
  write: () => string,
): string | null {
  const where = variantRun.streams.length > 1 ? `stream ${JSON.stringify(stream.at)}: ` : '';
  const unequal = stream.frames.find(({ walStart, walEnd }) => walStart !== walEnd);
  if (unequal) return `${where}an XLogData header of the server's has two positions`;
  const real: Sent = {
    messages: stream.frames.map(({ walStart, payload }) => ({ lsn: walStart, payload })),
    notices: stream.notices,
    error: stream.error,
  };
  try {
    const streaming = stream.options['streaming'] === 'parallel' ? 'parallel' : 'on';
    const difference = firstDifference(real, emulate(run, variantRun, stream, write), streaming);
    return difference && where + difference;
  } catch (error) {
    return `${where}${(error as Error).stack ?? String(error)}`;
  }
}

function keepScenario(folder: string, name: string, scenario: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name.replace(/[^\w-]+/g, '_')}.yaml`), scenario);
}
