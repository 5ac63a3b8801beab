/** What the parts of a decompilation share. */
import type { Survey } from '../../timeline/survey.js';
import type { StepPrinter } from '../print.js';
import type { ChangeContext } from './change-writer.js';
import type { WalPins } from './pins.js';

export interface Telling {
  /** The emulated server's. */
  readonly major: number;
  readonly facts: Survey;
  readonly context: ChangeContext;
  readonly wal: WalPins;
  readonly printer: StepPrinter;
  /** Told of what could not be taken over. */
  readonly note: (note: string) => void;
}

export function pinText(pin: number | undefined): string | undefined {
  return pin === undefined ? undefined : String(pin);
}
