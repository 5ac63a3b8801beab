/**
 * The catalogs as a transaction sees them: the committed ones with its own DDL laid over them.
 *
 * Steps stand in the order of decoding, so that a transaction can begin, by its pins, before DDL that was committed above
 * it. It meets that DDL where its positions pass the commit:
 *
 *   position   100      200             300
 *   x          insert ─────────────────── insert      sees the old catalogs up to here, the new ones there
 *   y                   alter, commit
 *
 * Committed DDL that a transaction meets is for the transaction to tell of; `onMeet` does it.
 */
import type { CatalogPatch, DatabaseState, DdlCommit } from './database-state.js';
import type { StoredCatalog } from './stored-table.js';

const noPatch: CatalogPatch = { tables: new Map(), publications: new Map(), types: new Map() };

export class CatalogView {
  #patch = noPatch;
  #merged: { readonly base: StoredCatalog; readonly patch: CatalogPatch; readonly result: StoredCatalog } | null = null;
  /** While the positions lie before DDL that was committed since: the catalogs as of then, and that DDL. */
  #past: StoredCatalog | null = null;
  #ahead: readonly DdlCommit[] = [];

  constructor(
    private readonly state: DatabaseState,
    private readonly onMeet: (commit: DdlCommit) => void,
  ) {}

  /** What others have committed. */
  get committed(): StoredCatalog {
    return this.#past ?? this.state.catalog;
  }

  get current(): StoredCatalog {
    const base = this.committed;
    if (this.#patch === noPatch) return base;
    if (this.#merged?.base !== base || this.#merged.patch !== this.#patch) {
      this.#merged = { base, patch: this.#patch, result: this.state.patched(base, this.#patch) };
    }
    return this.#merged.result;
  }

  /** Its own DDL; null when there is none. */
  get patch(): CatalogPatch | null {
    return this.#patch === noPatch ? null : this.#patch;
  }

  /** Lays DDL over what is there. @returns how to take it back */
  add(patch: Partial<CatalogPatch>): () => void {
    const before = this.#patch;
    this.#patch = {
      tables: new Map([...before.tables, ...(patch.tables ?? [])]),
      publications: new Map([...before.publications, ...(patch.publications ?? [])]),
      types: new Map([...before.types, ...(patch.types ?? [])]),
    };
    return () => {
      this.#patch = before;
    };
  }

  mark(): () => void {
    const [patch, past, ahead] = [this.#patch, this.#past, this.#ahead];
    return () => {
      this.#patch = patch;
      this.#past = past;
      this.#ahead = ahead;
    };
  }

  /** The first record starts here. */
  startAt(lsn: bigint): void {
    const ahead = this.state.ddlCommits.filter((commit) => commit.lsn > lsn);
    if (ahead.length === 0) return;
    this.#ahead = ahead;
    this.#past = this.state.catalogAt(lsn);
  }

  /** The next record starts here. */
  reach(lsn: bigint): void {
    while (this.#ahead.length > 0 && this.#ahead[0]!.lsn < lsn) {
      const [commit, ...later] = this.#ahead;
      this.#ahead = later;
      this.#past = later.length === 0 ? null : this.state.catalogAt(commit!.endLsn);
      this.onMeet(commit!);
    }
  }

  /** Another transaction has committed DDL. */
  changed(commit: DdlCommit): void {
    if (this.#ahead.length > 0) this.#ahead = [...this.#ahead, commit];
    else this.onMeet(commit);
  }
}
