/** DROP_REPLICATION_SLOT … WAIT and ALTER_REPLICATION_SLOT, which wait until the slot is free. */
import type { WireError } from '../values/wire-error.js';
import type { SessionInside } from './inside.js';
import type { Task } from './outputs-run.js';

export class SlotWait implements Task {
  readonly dueAt = null;
  #cancelled: WireError | undefined;
  readonly #stopListening: () => void;

  /** @param act what to do once nobody else has the slot. @throws WireError as `act` does */
  constructor(
    private readonly session: SessionInside,
    private readonly slot: string,
    private readonly act: () => void,
  ) {
    this.#stopListening = session.cluster.slots.onFreed((name) => {
      if (name === slot) session.turn();
    });
  }

  run(): boolean {
    const pid = this.session.cluster.slots.find(this.slot)?.activePid ?? null;
    if (this.#cancelled) {
      this.release();
      throw this.#cancelled;
    }
    if (pid !== null && pid !== this.session.pid) return false;
    this.release();
    this.act();
    return true;
  }

  cancel(error: WireError): void {
    this.#cancelled = error;
  }

  release(): void {
    this.#stopListening();
  }
}
