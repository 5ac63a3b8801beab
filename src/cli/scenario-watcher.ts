/** Tells when a scenario file, or a file that it includes, has other content than before. */
import { readFileSync, watch, type FSWatcher } from 'node:fs';
import { dirname } from 'node:path';

/** Editors write a file in several steps. */
const settleMilliseconds = 50;

export class ScenarioWatcher {
  readonly #contents = new Map<string, string | null>();
  readonly #watchers = new Map<string, FSWatcher>();
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly onChange: () => void) {}

  /** Files to look at from now on, those of before included. */
  add(files: Iterable<string>): void {
    for (const file of files) {
      this.#contents.set(file, contentOf(file));
      const folder = dirname(file);
      // A folder, not the file: saving may put another file in its place.
      if (!this.#watchers.has(folder))
        this.#watchers.set(
          folder,
          watch(folder, () => this.#look()),
        );
    }
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers.values()) watcher.close();
  }

  #look(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      let changed = false;
      for (const [file, before] of this.#contents) {
        const now = contentOf(file);
        changed ||= now !== before;
        this.#contents.set(file, now);
      }
      if (changed) this.onChange();
    }, settleMilliseconds);
  }
}

/** Null while there is no such file. */
function contentOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
