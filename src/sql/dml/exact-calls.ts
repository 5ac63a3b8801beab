/** Which functions give the same for the same rows, on every machine and day: those that depend on their arguments alone. */
import { NotEmulated } from '../failure.js';

export interface CalledFunction {
  readonly name: string;
  readonly isImmutable: boolean;
}

/** @throws NotEmulated */
export function admitExact({ name, isImmutable }: CalledFunction, location: number): void {
  if (!isImmutable) throw new NotEmulated(`what ${name}() gives`, location);
}
