/** Workloads on one server after the other. Whatever happens, the server is stopped. */
import { compareRun, type Result } from './compare/compare.js';
import { WorkloadRunner } from './run/run-workload.js';
import { installServer } from './server/binaries.js';
import { Cluster } from './server/cluster.js';
import { appliesTo, type Workload } from './workload/workload.js';

export class Oracle {
  /** @param servers - folder of the server binaries. @param variant - the only one wanted. @param keep - folder for scenarios */
  constructor(
    readonly servers: string,
    readonly variant: string | undefined,
    readonly keep: string | undefined,
  ) {
    process.on('SIGINT', () => process.exit(130));
    process.on('SIGTERM', () => process.exit(143));
  }

  async run(major: number, workloads: readonly Workload[]): Promise<Result[]> {
    const cluster = await Cluster.start(major, installServer(major, this.servers));
    try {
      const runner = await WorkloadRunner.create(cluster);
      const results: Result[] = [];
      for (const workload of workloads) {
        const own = await this.#compare(runner, workload);
        const identical = own.filter((result) => result.identical).length;
        process.stderr.write(`PostgreSQL ${major} ${workload.name}: ${identical} of ${own.length} identical\n`);
        results.push(...own);
      }
      return results;
    } finally {
      await cluster.stop();
    }
  }

  /** A workload that cannot be run or told differs in every variant. */
  async #compare(runner: WorkloadRunner, workload: Workload): Promise<Result[]> {
    const { major } = runner.cluster;
    try {
      return compareRun(workload.name, await runner.run(workload, this.variant), this.keep);
    } catch (error) {
      const difference = `the workload could not be compared: ${(error as Error).stack ?? String(error)}`;
      return workload.variants
        .filter((variant) => appliesTo(variant, major) && (this.variant ?? variant.name) === variant.name)
        .map(({ name }) => ({ workload: workload.name, major, variant: name, identical: false, difference }));
    }
  }
}
