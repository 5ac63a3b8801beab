/**
 * Time that a test moves: by itself it goes as fast as the computer's, `advance` makes it jump, and on the way every timer of
 * the server goes off in its turn.
 */
import type { ServerClock } from '../server/index.js';
import { systemClock } from '../server/index.js';

interface Alarm {
  readonly time: number;
  readonly wake: () => void;
  /** Of the computer's clock, for an alarm that comes by itself. */
  stop: () => void;
}

const milliseconds = { ms: 1, s: 1_000, min: 60_000, h: 3_600_000 } as const;

/** A number of milliseconds, or a text such as `250ms`, `60s`, `1.5min`, `2h`. */
export type Duration = number | `${number}${keyof typeof milliseconds}`;

/** @throws RangeError for a negative number, or a text that is no duration */
export function durationMilliseconds(duration: Duration): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(ms|s|min|h)$/.exec(String(duration)) ?? [];
  const value = unit ? Number(number) * milliseconds[unit as keyof typeof milliseconds] : Number(duration);
  if (value >= 0) return value;
  throw new RangeError(`${JSON.stringify(duration)} is not a duration: give milliseconds, or a text such as 60s`);
}

/** Turns of the event loop between two timers: enough for a client in this process to be heard, and to answer. */
const turnsBetween = 8;

/** The server's clock: it goes as fast as the computer's, and jumps when told to. */
export class VirtualClock implements ServerClock {
  /** Milliseconds that this clock is ahead. */
  #ahead = 0;
  #pausedAt: number | null = null;
  readonly #alarms = new Set<Alarm>();

  /** @param base - what it is ahead of */
  constructor(private readonly base: ServerClock = systemClock) {}

  /** Milliseconds since some moment, which never go back. */
  monotonic(): number {
    return this.#pausedAt ?? this.base.monotonic() + this.#ahead;
  }

  /** The time of day, microseconds since 2000-01-01 UTC. */
  now(): bigint {
    const drift = this.monotonic() - this.base.monotonic();
    return this.base.now() + BigInt(Math.round(drift * 1000));
  }

  /** Calls back at a time of `monotonic()`; returns how to stop it. */
  at(time: number, wake: () => void): () => void {
    const alarm: Alarm = { time, wake, stop: () => undefined };
    this.#alarms.add(alarm);
    this.#arm(alarm);
    return () => {
      alarm.stop();
      this.#alarms.delete(alarm);
    };
  }

  /** From now on time moves by `advance` alone. */
  pause(): void {
    this.#pausedAt ??= this.monotonic();
    for (const alarm of this.#alarms) this.#arm(alarm);
  }

  /** Time moves by itself again, from where it stands. */
  resume(): void {
    if (this.#pausedAt === null) return;
    this.#ahead = this.#pausedAt - this.base.monotonic();
    this.#pausedAt = null;
    for (const alarm of this.#alarms) this.#arm(alarm);
  }

  /**
   * Moves time on. Timers go off in their order, each at its own time, and between them a client in this process has the time to
   * answer (one in another process has not: wait for its answer before advancing further).
   */
  async advance(duration: Duration): Promise<void> {
    const end = this.monotonic() + durationMilliseconds(duration);
    for (let next = this.#first(); next !== undefined && next.time <= end; next = this.#first()) {
      this.#jump(next.time);
      this.#goOff(next);
      await this.#settle();
    }
    this.#jump(end);
    await this.#settle();
  }

  #first(): Alarm | undefined {
    let first: Alarm | undefined;
    for (const alarm of this.#alarms) if (first === undefined || alarm.time < first.time) first = alarm;
    return first;
  }

  #jump(to: number): void {
    const by = to - this.monotonic();
    if (by <= 0) return;
    if (this.#pausedAt === null) this.#ahead += by;
    else this.#pausedAt = to;
    for (const alarm of this.#alarms) this.#arm(alarm);
  }

  #arm(alarm: Alarm): void {
    alarm.stop();
    alarm.stop =
      this.#pausedAt === null
        ? this.base.at(alarm.time - this.#ahead, () => this.#goOff(alarm))
        : (): void => undefined;
  }

  #goOff(alarm: Alarm): void {
    alarm.stop();
    if (this.#alarms.delete(alarm)) alarm.wake();
  }

  async #settle(): Promise<void> {
    for (let turn = 0; turn < turnsBetween; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
}
