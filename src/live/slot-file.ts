/** `--state FILE`: replication slots that outlive the process. */
import { accessSync, constants, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { timestampFromDate } from '../values/timestamp.js';
import type { StoredSlot } from '../walsender/slot.js';
import type { SlotRegistry } from '../walsender/slot-registry.js';
import { CannotServe } from './cannot-serve.js';

interface SlotFile {
  readonly slots: readonly StoredSlot[];
}

/**
 * Takes over what the file says, if there is one, and writes it anew at every change.
 * @param onLost - is told when that is no longer possible
 * @returns how to stop that
 * @throws CannotServe for a file that is no such file, or can have no other in its place
 */
export function keepSlots(slots: SlotRegistry, path: string, onLost: (error: Error) => void): () => void {
  try {
    accessSync(dirname(path), constants.W_OK);
  } catch (error) {
    throw new CannotServe(`${path}: slots cannot be kept there: ${(error as Error).message}`);
  }
  if (existsSync(path)) {
    try {
      const { slots: stored } = JSON.parse(readFileSync(path, 'utf8')) as SlotFile;
      slots.restore(stored, timestampFromDate(new Date()));
    } catch (error) {
      throw new CannotServe(`${path}: not a state file: ${(error as Error).message}`);
    }
  }
  let due: NodeJS.Immediate | undefined;
  const stopListening = slots.onChanged(() => {
    // Confirmations come in bursts: one write for all of a turn.
    due ??= setImmediate(() => {
      due = undefined;
      try {
        replaceFile(path, `${JSON.stringify({ slots: slots.store() } satisfies SlotFile, undefined, 2)}\n`);
      } catch (error) {
        onLost(error as Error);
      }
    });
  });
  return () => {
    stopListening();
    clearImmediate(due);
  };
}

/** Whoever reads the file at the same time sees all of the old or all of the new text. */
export function replaceFile(path: string, text: string): void {
  const draft = `${path}.${process.pid}.tmp`;
  writeFileSync(draft, text);
  renameSync(draft, path);
}
