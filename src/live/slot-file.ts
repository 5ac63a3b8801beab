/** `--state FILE`: replication slots that outlive the process. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { timestampFromDate } from '../values/timestamp.js';
import type { StoredSlot } from '../walsender/slot.js';
import type { SlotRegistry } from '../walsender/slot-registry.js';
import { CannotServe } from './cannot-serve.js';

interface SlotFile {
  readonly slots: readonly StoredSlot[];
}

/** Takes over what the file says, if there is one, and writes it anew at every change. @throws CannotServe for a file that is no such file */
export function keepSlots(slots: SlotRegistry, path: string): void {
  if (existsSync(path)) {
    try {
      const { slots: stored } = JSON.parse(readFileSync(path, 'utf8')) as SlotFile;
      slots.restore(stored, timestampFromDate(new Date()));
    } catch (error) {
      throw new CannotServe(`${path}: not a state file: ${(error as Error).message}`);
    }
  }
  let due = false;
  slots.onChanged(() => {
    if (due) return;
    due = true;
    // Confirmations come in bursts: one write for all of a turn.
    setImmediate(() => {
      due = false;
      replaceFile(path, `${JSON.stringify({ slots: slots.store() } satisfies SlotFile, undefined, 2)}\n`);
    });
  });
}

/** Whoever reads the file at the same time sees all of the old or all of the new text. */
export function replaceFile(path: string, text: string): void {
  const draft = `${path}.${process.pid}.tmp`;
  writeFileSync(draft, text);
  renameSync(draft, path);
}
