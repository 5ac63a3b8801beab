/**
 * The xids of a streamed transaction's changes → savepoints. The wire names the subtransaction of each change, and those
 * that are rolled back, but not when savepoints were made and released: one that has nothing more to come, and is not
 * rolled back, counts as released when another's change follows.
 */
import type { StreamedFacts } from '../../timeline/survey.js';
import type { WalPins } from './pins.js';
import type { YamlObject } from '../yaml-node.js';

interface Frame {
  readonly xid: number;
  readonly name: string;
  /** Tables to which it gave a new file. */
  readonly ownFiles: Set<number>;
}

export class Savepoints {
  /** Outermost first; the transaction itself is the first. */
  readonly #frames: Frame[];
  /** Parents that show nothing themselves, by the xid of a child. */
  readonly #parents = new Map<number, number>();

  constructor(
    private readonly topXid: number,
    private readonly facts: StreamedFacts | undefined,
    private readonly wal: WalPins,
  ) {
    this.#frames = [{ xid: topXid, name: '', ownFiles: new Set() }];
  }

  get depth(): number {
    return this.#frames.length;
  }

  get ownFiles(): Set<number> {
    return this.#frames.at(-1)!.ownFiles;
  }

  /** A subtransaction that shows nothing is around a later one, when it is rolled back after that. */
  isAround(hidden: number, xid: number): boolean {
    const [outer, inner] = [hidden, xid].map((one) => this.facts?.aborts.get(one));
    return hidden < xid && outer !== undefined && inner !== undefined && outer.index > inner.index;
  }

  /** Steps after which a change is the subtransaction's. @param index - number of the change's message */
  enter(xid: number, index: number): YamlObject[] {
    const steps: YamlObject[] = [];
    const isOpen = this.#frames.some((frame) => frame.xid === xid);
    const parent = isOpen ? undefined : this.#parentOf(xid);
    for (;;) {
      const innermost = this.#frames.at(-1)!;
      if (innermost.xid === xid || innermost.xid === parent || innermost.xid === this.topXid) break;
      if (!isOpen && this.#isNeeded(innermost.xid, index)) break;
      steps.push(this.#release());
    }
    if (isOpen) return steps;
    if (parent !== undefined && !this.#frames.some((frame) => frame.xid === parent)) steps.push(this.#push(parent));
    steps.push(this.#push(xid));
    return steps;
  }

  /** A subtransaction that is rolled back, or has changes to come, stays open, and what follows is part of it. */
  #isNeeded(xid: number, index: number): boolean {
    const group = this.facts?.aborts.get(xid);
    if (group !== undefined && group.subxids.at(-1) === xid && !this.#isChild(xid)) return true;
    return (this.facts?.lastUse.get(xid) ?? -1) > index || [...this.#parents.values()].includes(xid);
  }

  #isChild(xid: number): boolean {
    return this.#parentOf(xid) !== undefined;
  }

  /** Of a subtransaction that another one's abort record names: that one, or one that shows nothing itself. */
  #parentOf(xid: number): number | undefined {
    const subxids = this.facts?.aborts.get(xid)?.subxids;
    if (subxids === undefined || subxids.length < 2) return undefined;
    const last = subxids.at(-1)!;
    if (subxids.every((other) => other === last || last < other)) return last === xid ? undefined : last;
    const first = Math.min(...subxids);
    const known = this.#parents.get(first);
    if (known !== undefined) return known;
    let hidden = first - 1;
    while (hidden > this.topXid && this.facts!.lastUse.has(hidden)) hidden--;
    this.#parents.set(first, hidden);
    return hidden;
  }

  #push(xid: number): YamlObject {
    const name = `s${xid}`;
    this.#frames.push({ xid, name, ownFiles: new Set() });
    const pin = this.wal.xid(xid);
    return { savepoint: name, xid: pin === undefined ? undefined : String(pin) };
  }

  #release(): YamlObject {
    const { name, ownFiles } = this.#frames.pop()!;
    for (const oid of ownFiles) this.ownFiles.add(oid);
    return { release: name };
  }

  /**
   * Rolls back what an abort record names. @param xid - any of its subtransactions
   * @returns the steps before, and the savepoint; undefined when nothing of it is open
   */
  rollback(xid: number): { readonly before: YamlObject[]; readonly name: string } | undefined {
    const target = this.#parentOf(xid) ?? xid;
    const depth = this.#frames.findIndex((frame) => frame.xid === target);
    if (depth < 1) return undefined;
    const before: YamlObject[] = [];
    while (this.#frames.length > depth + 1) before.push(this.#release());
    const { name } = this.#frames.pop()!;
    return { before, name };
  }
}
