/** The expectations of all scenarios that one server serves. */
import type { Scenario } from '../scenario/index.js';
import type { SessionEvent } from '../walsender/events.js';
import type { OwnerEvent } from './follower.js';
import { ScenarioVerdict, type Finding } from './scenario-verdict.js';

export class Verdict {
  readonly #byName: ReadonlyMap<string, ScenarioVerdict>;
  /** Where there is but one scenario, whatever happens is its. */
  readonly #only: ScenarioVerdict | undefined;
  /** The scenario of each session that has said which database it wants. */
  readonly #sessions = new Map<number, ScenarioVerdict>();
  /** What happened on sessions before that, with its time. */
  readonly #unknown = new Map<number, [SessionEvent, number][]>();
  #startedAt: number | undefined;

  constructor(scenarios: readonly Scenario[]) {
    this.#byName = new Map(scenarios.map((scenario) => [scenario.name, new ScenarioVerdict(scenario)]));
    this.#only = scenarios.length === 1 ? this.#byName.get(scenarios[0]!.name) : undefined;
  }

  /** Whether `message:sent` has to be observed. */
  get needsMessages(): boolean {
    return [...this.#byName.values()].some(({ needsMessages }) => needsMessages);
  }

  /** When the first thing happened, monotonic milliseconds; undefined: nothing has. */
  get startedAt(): number | undefined {
    return this.#startedAt;
  }

  /** @param now monotonic milliseconds */
  follow(event: SessionEvent, now: number): void {
    this.#startedAt ??= now;
    if (this.#only) return this.#only.follow(event, now);
    if (event.kind === 'startup') this.#recognize(event.pid, event.database);
    const verdict = this.#sessions.get(event.pid);
    if (verdict) verdict.follow(event, now);
    else if (event.kind === 'connection') this.#unknown.set(event.pid, [[event, now]]);
    else this.#unknown.get(event.pid)?.push([event, now]);
    if (event.kind === 'disconnect') {
      this.#sessions.delete(event.pid);
      this.#unknown.delete(event.pid);
    }
  }

  /** What no session sees. @param now monotonic milliseconds */
  followOwner(event: OwnerEvent, now: number): void {
    for (const verdict of this.#byName.values()) verdict.follow(event, now);
  }

  /** How everything stands, by scenario, in their order. */
  findings(now: number): Finding[] {
    return [...this.#byName.values()].flatMap((verdict) => verdict.findings(now));
  }

  /** Every scenario is: see `ScenarioVerdict.settled`. To be asked from time to time, as time alone settles some things. */
  settled(now: number): boolean {
    return [...this.#byName.values()].every((verdict) => verdict.settled(now));
  }

  /** Nothing is left to wait for: `settled`, without the moment of quiet. */
  isDone(now: number): boolean {
    return [...this.#byName.values()].every((verdict) => verdict.isDone(now));
  }

  #recognize(pid: number, database: string): void {
    const verdict = this.#byName.get(database);
    if (!verdict) return;
    this.#sessions.set(pid, verdict);
    for (const [event, at] of this.#unknown.get(pid) ?? []) verdict.follow(event, at);
    this.#unknown.delete(pid);
  }
}
