/** Advisory locks: keys that sessions hold, shared or alone. One table for all sessions of a database. */

type Scope = 'session' | 'transaction';

interface Holder {
  readonly pid: number;
  readonly isShared: boolean;
  readonly scope: Scope;
  count: number;
}

export class AdvisoryLocks {
  private readonly holders = new Map<string, Holder[]>();
  private readonly listeners = new Set<() => void>();

  /** False when another session's lock is in the way. */
  tryLock(key: string, pid: number, isShared: boolean, scope: Scope): boolean {
    const held = this.holders.get(key) ?? [];
    if (held.some((holder) => holder.pid !== pid && !(isShared && holder.isShared))) return false;
    const own = held.find((holder) => holder.pid === pid && holder.isShared === isShared && holder.scope === scope);
    if (own === undefined) this.holders.set(key, [...held, { pid, isShared, scope, count: 1 }]);
    else own.count++;
    return true;
  }

  /** False when the session does not hold it. */
  unlock(key: string, pid: number, isShared: boolean): boolean {
    const held = this.holders.get(key) ?? [];
    const own = held.find((holder) => holder.pid === pid && holder.isShared === isShared && holder.scope === 'session');
    if (own === undefined) return false;
    if (--own.count === 0)
      this.replace(
        key,
        held.filter((holder) => holder !== own),
      );
    return true;
  }

  /** At the end of a transaction its locks, at the end of a session all. */
  release(pid: number, scope?: Scope): void {
    for (const [key, held] of [...this.holders]) {
      const kept = held.filter((holder) => holder.pid !== pid || (scope !== undefined && holder.scope !== scope));
      if (kept.length !== held.length) this.replace(key, kept);
    }
  }

  private replace(key: string, holders: Holder[]): void {
    if (holders.length === 0) this.holders.delete(key);
    else this.holders.set(key, holders);
    for (const listener of [...this.listeners]) listener();
  }

  /** Tells when a lock was let go of. Returns how to stop listening. */
  whenFree(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
