/** `expect: - flushed: …`: whether the consumers of a server's scenarios confirmed what they were to, and in time. */
import type { Expectation, Scenario } from '../scenario/index.js';
import { formatLsn } from '../values/lsn.js';
import type { SessionEvent } from '../walsender/events.js';

type Flushed = Extract<Expectation, { kind: 'flushed' }>;

/** One expectation for one slot. Times in milliseconds, undefined for what has not happened. */
interface Watch {
  readonly slot: string;
  /** Undefined: the end, as long as the stream has not got there. */
  position: bigint | undefined;
  confirmed: bigint;
  sentAt: number | undefined;
  confirmedAt: number | undefined;
}

export class FlushExpectations {
  readonly #scenarios = new Map<string, Scenario>();
  readonly #databases = new Map<number, string>();
  readonly #watches = new Map<Flushed, Watch[]>();

  constructor(scenarios: readonly Scenario[]) {
    for (const scenario of scenarios) {
      this.#scenarios.set(scenario.name, scenario);
      for (const expectation of scenario.expectations) {
        if (expectation.kind === 'flushed') this.#watches.set(expectation, []);
      }
    }
  }

  /** Whether `message:sent` is needed: to know when a position in mid-stream was sent. */
  get needMessages(): boolean {
    return [...this.#watches.keys()].some(
      ({ position, withinMilliseconds }) => position !== 'end' && withinMilliseconds !== undefined,
    );
  }

  /** @param now monotonic milliseconds */
  follow(event: SessionEvent, now: number): void {
    switch (event.kind) {
      case 'startup':
        this.#databases.set(event.pid, event.database);
        break;
      case 'disconnect':
        this.#databases.delete(event.pid);
        break;
      case 'replication:start':
        this.#watch(event.slot, this.#databases.get(event.pid) ?? '');
        break;
      case 'message:sent':
        for (const watch of this.#watchesOf(event.slot)) {
          if (watch.position !== undefined && event.lsn >= watch.position) watch.sentAt ??= now;
        }
        break;
      case 'replication:caughtUp':
        this.#reachEnd(event.slot, event.lsn, now);
        break;
      case 'feedback':
        for (const watch of this.#watchesOf(event.slot)) {
          if (event.flushLsn > watch.confirmed) watch.confirmed = event.flushLsn;
          if (watch.position !== undefined && event.flushLsn >= watch.position) watch.confirmedAt ??= now;
        }
        break;
      default:
    }
  }

  /** A line for each expectation that was not met: `file:line:col: unmet: …`. */
  unmet(): string[] {
    const lines: string[] = [];
    for (const [expectation, watches] of this.#watches) {
      const { file, line, column } = expectation.source;
      const problems =
        watches.length === 0 ? ['no slot was used'] : watches.flatMap((watch) => problem(watch, expectation));
      for (const text of problems) lines.push(`${file}:${line}:${column}: unmet: flushed: ${text}`);
    }
    return lines;
  }

  #watchesOf(slot: string): Watch[] {
    return [...this.#watches.values()].flat().filter((watch) => watch.slot === slot);
  }

  #watch(slot: string, database: string): void {
    // A single scenario serves every database name.
    const scenario = this.#scenarios.get(database) ?? [...this.#scenarios.values()][0];
    for (const expectation of scenario?.expectations ?? []) {
      if (expectation.kind !== 'flushed' || (expectation.slot !== undefined && expectation.slot !== slot)) continue;
      const watches = this.#watches.get(expectation)!;
      if (watches.some((watch) => watch.slot === slot)) continue;
      const { position: at } = expectation;
      const position = typeof at === 'bigint' ? at : scenario!.labels.get(at);
      watches.push({ slot, position, confirmed: 0n, sentAt: undefined, confirmedAt: undefined });
    }
  }

  #reachEnd(slot: string, lsn: bigint, now: number): void {
    for (const [{ position }, watches] of this.#watches) {
      if (position !== 'end') continue;
      for (const watch of watches) {
        if (watch.slot !== slot || (watch.position !== undefined && lsn <= watch.position)) continue;
        watch.position = lsn;
        watch.sentAt = now;
        watch.confirmedAt = watch.confirmed >= lsn ? now : undefined;
      }
    }
  }
}

function problem({ slot, position, confirmed, sentAt, confirmedAt }: Watch, { withinMilliseconds }: Flushed): string[] {
  if (position === undefined) return [`slot ${slot} had not been sent everything`];
  if (confirmedAt === undefined) return [`slot ${slot} confirmed ${formatLsn(confirmed)}, not ${formatLsn(position)}`];
  const taken = confirmedAt - (sentAt ?? confirmedAt);
  if (withinMilliseconds === undefined || taken <= withinMilliseconds) return [];
  return [
    `slot ${slot} confirmed ${formatLsn(position)} after ${Math.round(taken)} ms, not within ${withinMilliseconds} ms`,
  ];
}
