/** A file that is either written whole or not touched: beside it until it is complete, then in its place. */
import { closeSync, existsSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { Exit } from '../exit.js';

const pieceSize = 1 << 16;

export class WholeFile {
  readonly #temporary: string;
  readonly #file: number;
  #pending: string[] = [];
  #pendingSize = 0;
  #open = true;

  private constructor(readonly path: string) {
    this.#temporary = `${path}.${process.pid}.part`;
    this.#file = openSync(this.#temporary, 'w');
  }

  /** @throws Exit when there is such a file and it is not to be replaced */
  static create(path: string, replace: boolean): WholeFile {
    if (!replace && existsSync(path)) throw new Exit(2, `${path} exists: --force replaces it`);
    return new WholeFile(path);
  }

  write(text: string): void {
    this.#pending.push(text);
    this.#pendingSize += text.length;
    if (this.#pendingSize >= pieceSize) this.#flush();
  }

  #flush(): void {
    const bytes = Buffer.from(this.#pending.join(''));
    for (let written = 0; written < bytes.length;) written += writeSync(this.#file, bytes, written);
    this.#pending = [];
    this.#pendingSize = 0;
  }

  /** Puts it in its place. */
  complete(): void {
    this.#flush();
    this.#close();
    renameSync(this.#temporary, this.path);
  }

  /** Leaves everything as it was. Does nothing once it is complete. */
  discard(): void {
    if (!this.#open) return;
    this.#close();
    rmSync(this.#temporary, { force: true });
  }

  #close(): void {
    closeSync(this.#file);
    this.#open = false;
  }
}
