/** The server's timeline, and those before it. */
export class Timelines {
  /** Where each timeline that this server has left ended, by its number. */
  readonly #ends = new Map<number, bigint>();
  #current: number;

  constructor(
    private readonly first: number,
    /** Where WAL began: timelines that were left before ended there. */
    private readonly startLsn: bigint,
  ) {
    this.#current = first;
  }

  get current(): number {
    return this.#current;
  }

  /** The server is a promoted standby from here on. */
  promote(timeline: number, lsn: bigint): void {
    this.#ends.set(this.#current, lsn);
    this.#current = timeline;
  }

  /** What the history file of a timeline lists: its ancestors and where each ended. Undefined when there is no such file. */
  history(timeline: number): readonly { readonly timeline: number; readonly end: bigint }[] | undefined {
    if (timeline < 2 || timeline > this.#current || (timeline > this.first && !this.#isOwn(timeline))) return undefined;
    const before = Array.from({ length: Math.min(timeline, this.first) - 1 }, (_, i) => ({
      timeline: i + 1,
      end: this.startLsn,
    }));
    const own = [...this.#ends].filter(([left]) => left < timeline).map(([left, end]) => ({ timeline: left, end }));
    return [...before, ...own];
  }

  #isOwn(timeline: number): boolean {
    return timeline === this.#current || this.#ends.has(timeline);
  }
}
