/** Exported snapshots: names for "the rows as of an LSN", good until their exporter's transaction or next command ends. */

interface ExportedSnapshot {
  readonly lsn: bigint;
  readonly pid: number;
}

export class SnapshotRegistry {
  readonly #snapshots = new Map<string, ExportedSnapshot>();
  #serial = 0;

  /** Returns a name such as `00000003-0000001B-1`. */
  export(lsn: bigint, pid: number): string {
    const hex = (value: number): string => value.toString(16).toUpperCase().padStart(8, '0');
    const name = `${hex(pid)}-${hex(++this.#serial)}-1`;
    this.#snapshots.set(name, { lsn, pid });
    return name;
  }

  /** Undefined when there is no such snapshot (any more). */
  find(name: string): bigint | undefined {
    return this.#snapshots.get(name)?.lsn;
  }

  dropOf(pid: number): void {
    for (const [name, snapshot] of this.#snapshots) {
      if (snapshot.pid === pid) this.#snapshots.delete(name);
    }
  }

  clear(): void {
    this.#snapshots.clear();
  }
}
