/** A file that is either written whole or not touched: beside it until it is complete, then in its place. */
import { accessSync, closeSync, constants, existsSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { Exit } from '../exit.js';

const pieceSize = 1 << 16;

export class WholeFile {
  readonly #temporary: string;
  /** Opened when there is something to write: who gives up before leaves nothing behind. */
  #file: number | undefined;
  #pending: string[] = [];
  #pendingSize = 0;

  private constructor(readonly path: string) {
    this.#temporary = `${path}.${process.pid}.part`;
  }

  /** @throws Exit when there is such a file and it is not to be replaced, or when there can be none */
  static create(path: string, replace: boolean): WholeFile {
    if (!replace && existsSync(path)) throw new Exit(2, `${path} exists: --force replaces it`);
    try {
      accessSync(dirname(path), constants.W_OK);
    } catch (error) {
      throw new Exit(2, `${path} cannot be written: ${(error as Error).message}`);
    }
    return new WholeFile(path);
  }

  write(text: string): void {
    this.#pending.push(text);
    this.#pendingSize += text.length;
    if (this.#pendingSize >= pieceSize) this.#flush();
  }

  #flush(): void {
    const file = (this.#file ??= openSync(this.#temporary, 'w'));
    const bytes = Buffer.from(this.#pending.join(''));
    for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written);
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
    if (this.#file === undefined) return;
    this.#close();
    rmSync(this.#temporary, { force: true });
  }

  #close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}
