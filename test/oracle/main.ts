import { installServer, majors } from './server/binaries.js';
import { Cluster } from './server/cluster.js';
import { WorkloadRunner } from './run/run-workload.js';
import { loadWorkload, appliesTo } from './workload/workload.js';
import { readdirSync, readFileSync, existsSync } from 'node:fs';
const arg = process.argv.slice(2).map(Number);
const G = '/work/shared/golden';
function shape(payloads: Buffer[]): string {
  return payloads.map((p) => String.fromCharCode(p[0]!)).join('');
}
for (const major of arg.length ? arg : majors) {
  console.log('=====', major);
  const cluster = await Cluster.start(major, installServer(major, process.env.FAKE_WALSENDER_ORACLE_SERVERS!));
  try {
    const runner = await WorkloadRunner.create(cluster);
    for (const f of readdirSync('test/oracle/workloads')) {
      const w = loadWorkload('test/oracle/workloads/' + f);
      if (!appliesTo(w, major)) continue;
      const t0 = Date.now();
      try {
        const run = await runner.run(w);
        const out: string[] = [];
        for (const v of run.variants) {
          const g = JSON.parse(readFileSync(`${G}/${w.name}/${major}-${v.variant.name}.json`, 'utf8'));
          const mine = v.streams.map(
            (s) => s.at + ':' + shape(s.frames.map((x) => x.payload)) + (s.error?.message ?? ''),
          );
          const gold = g.streams.map(
            (s: any) =>
              s.at +
              ':' +
              shape((s.frames ?? []).filter((x: any) => x[0] === 'w').map((x: any) => Buffer.from(x[4], 'hex'))) +
              (s.error?.message ?? s.error?.M ?? ''),
          );
          if (JSON.stringify(mine) !== JSON.stringify(gold))
            out.push(`  ${v.variant.name}\n   mine ${mine.join('\n        ')}\n   gold ${gold.join('\n        ')}`);
          const st = g.steps.map((s: any) => s[1]);
          const ms = run.statements.map((s) => s.sql);
          if (JSON.stringify(st) !== JSON.stringify(ms))
            out.push('STMTS' + JSON.stringify(st.find((x: any, i: number) => x !== ms[i])));
        }
        const kinds: Record<string, number> = {};
        for (const e of run.wal) kinds[e.kind] = (kinds[e.kind] ?? 0) + 1;
        console.log(w.name, Date.now() - t0, 'ms', JSON.stringify(kinds), out.length ? '\n' + out.join('\n') : 'same');
      } catch (e) {
        console.log(w.name, 'FAILED', e);
      }
    }
  } finally {
    await cluster.stop();
  }
}
process.exit(0);
