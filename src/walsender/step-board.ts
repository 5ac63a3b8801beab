/**
 * Steps of a timeline, shared by its walsenders: which faults have happened already, and until when a wait holds back the WAL
 * after it. A place is its LSN and its number among the steps of that LSN, which is the same for every reader.
 */
import { formatLsn } from '../values/lsn.js';

export type StepPlace = string;

/** Names the places that one reader comes to, in order. */
export class StepPlaces {
  #lsn = -1n;
  #number = 0;

  next(lsn: bigint): StepPlace {
    this.#number = lsn === this.#lsn ? this.#number + 1 : 0;
    this.#lsn = lsn;
    return `${formatLsn(lsn)}#${this.#number}`;
  }
}

export class StepBoard {
  readonly #performed = new Map<StepPlace, number>();
  readonly #waits = new Map<StepPlace, number>();
  readonly #labels = new Map<string, bigint>();

  /** WAL positions by label, as far as some walsender has come to them. */
  get labels(): ReadonlyMap<string, bigint> {
    return this.#labels;
  }

  label(name: string, lsn: bigint): void {
    this.#labels.set(name, lsn);
  }

  /** Counts one more performance, unless there were `times` already: false then. */
  perform(place: StepPlace, times: number): boolean {
    const performed = this.#performed.get(place) ?? 0;
    if (performed >= times) return false;
    this.#performed.set(place, performed + 1);
    return true;
  }

  /** What `perform` counted did not happen after all. */
  takeBack(place: StepPlace): void {
    this.#performed.set(place, (this.#performed.get(place) ?? 1) - 1);
  }

  /** When the wait at this place ends, in milliseconds of the monotonic clock: it begins with the first who gets there. */
  waitUntil(place: StepPlace, now: number, milliseconds: number): number {
    const end = this.#waits.get(place) ?? now + milliseconds;
    this.#waits.set(place, end);
    return end;
  }

  /** What was waited for has come: nobody waits at this place any more, not even who comes by it again. */
  endWait(place: StepPlace): void {
    this.#waits.set(place, -Infinity);
  }

  hasWaited(place: StepPlace): boolean {
    return this.#waits.get(place) === -Infinity;
  }

  clear(): void {
    this.#performed.clear();
    this.#waits.clear();
    this.#labels.clear();
  }
}
