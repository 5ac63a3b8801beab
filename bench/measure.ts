/**
 * Contenders run in turn, in slices so short that most of them go undisturbed, and each round begins with another one:
 * whatever else the machine does befalls all of them alike.
 */

export interface Contender {
  readonly name: string;
  /** Works through `count` messages. */
  run(count: number): void;
}

export interface Result {
  readonly name: string;
  /** Median over the rounds, in nanoseconds per message. */
  readonly nanoseconds: number;
  /** Median over the rounds of this contender's time by the first one's. */
  readonly ratio: number;
}

const sliceMilliseconds = 0.5;
const rounds = 1001;

export function warmUp(contenders: readonly Contender[]): void {
  for (const contender of contenders) contender.run(50_000);
}

export function race(contenders: readonly Contender[]): Result[] {
  const counts = contenders.map(countPerSlice);
  const times: number[][] = contenders.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < contenders.length; turn++) {
      const i = (round + turn) % contenders.length;
      times[i]!.push(timeOf(contenders[i]!, counts[i]!) / counts[i]!);
    }
  }
  return contenders.map(({ name }, i) => ({
    name,
    nanoseconds: median(times[i]!) * 1e6,
    ratio: median(times[i]!.map((time, round) => time / times[0]![round]!)),
  }));
}

/** Growth of the heap in bytes per message: the least of some trials, as the compiler's own allocations fall into some. */
export function heapGrowth(contender: Contender): number {
  const { gc } = globalThis;
  if (gc === undefined) throw new Error('to be run with --expose-gc');
  const count = 20_000;
  const growths = Array.from({ length: 5 }, () => {
    gc();
    const before = process.memoryUsage().heapUsed;
    contender.run(count);
    return (process.memoryUsage().heapUsed - before) / count;
  });
  return Math.max(0, Math.min(...growths));
}

function countPerSlice(contender: Contender): number {
  const trial = 2000;
  return Math.ceil((trial * sliceMilliseconds) / Math.min(timeOf(contender, trial), timeOf(contender, trial)));
}

function timeOf(contender: Contender, count: number): number {
  const start = performance.now();
  contender.run(count);
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}
