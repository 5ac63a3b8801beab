/** Which handlers there are, in the order in which they are asked. */
import type { CommandHandler } from './command-handler.js';
import type { ConnectionHandler } from './connection-handler.js';
import { HandlerUse } from './handler.js';
import type { QueryHandler } from './query-handler.js';
import type { ScenarioHandler } from './scenario-handler.js';
import type { SlotHandler } from './slot-handler.js';
import type { AnyTable } from './table.js';

/** What `setupWalsender` and `use` take. Of all kinds but scenario and table the first that fits counts. */
export type Handler = ScenarioHandler | QueryHandler | CommandHandler | ConnectionHandler | SlotHandler | AnyTable;

const kinds: ReadonlySet<unknown> = new Set<Handler['kind']>([
  'scenario',
  'query',
  'command',
  'connection',
  'slot',
  'table',
]);

export class HandlerStore {
  #initial: readonly Handler[];
  /** Of `use`, the latest first. */
  #added: readonly (readonly Handler[])[] = [];
  #uses = new WeakMap<Handler, HandlerUse>();

  constructor(handlers: readonly Handler[]) {
    this.#initial = checked(handlers);
  }

  use(handlers: readonly Handler[]): void {
    this.#added = [checked(handlers), ...this.#added];
  }

  /** Forgets what `use` added; what there is instead of the initial ones, if anything. */
  reset(next: readonly Handler[]): void {
    this.#added = [];
    if (next.length > 0) this.#initial = checked(next);
  }

  /** No handler has answered anything. */
  restart(): void {
    this.#uses = new WeakMap();
  }

  /** Those with `once` answer once more. */
  restore(): void {
    for (const handler of this.list) this.#uses.get(handler)?.restore();
  }

  get list(): readonly Handler[] {
    return [...this.#added.flat(), ...this.#initial];
  }

  of<K extends Handler['kind']>(kind: K): readonly Extract<Handler, { readonly kind: K }>[] {
    return this.list.filter((handler): handler is Extract<Handler, { readonly kind: K }> => handler.kind === kind);
  }

  /** The scenarios that are served: those of the latest `use` that had any, or the initial ones. Always the same array for the same. */
  get scenarios(): readonly Handler[] {
    return [...this.#added, this.#initial].find((layer) => layer.some(({ kind }) => kind === 'scenario')) ?? none;
  }

  useOf(handler: Handler): HandlerUse {
    const use = this.#uses.get(handler) ?? new HandlerUse();
    this.#uses.set(handler, use);
    return use;
  }
}

const none: readonly Handler[] = [];

/** @throws TypeError for what is no handler */
function checked(handlers: readonly Handler[]): readonly Handler[] {
  for (const handler of handlers as readonly unknown[]) {
    if (Array.isArray(handler)) throw new TypeError('handlers are given one by one: write ...handlers for an array');
    if (typeof handler === 'object' && handler !== null && kinds.has((handler as { kind?: unknown }).kind)) continue;
    const hint = 'make one with scenario(), query(), command(), connection(), slot() or table()';
    throw new TypeError(`${String(handler)} is no handler: ${hint}`);
  }
  return handlers;
}
