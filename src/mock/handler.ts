/** What the handlers have in common: where they were defined, whether they answer once, and resolvers that are generators. */
import type { Answer } from '../walsender/answers.js';

/**
 * A function, or a generator function: each match takes its next value, and once it is done every match gets its last one.
 * `undefined`: the next handler is asked.
 */
export type Resolver<Facts, R = Answer> = (
  facts: Facts,
) =>
  | R
  | undefined
  | Promise<R | undefined>
  | Iterator<R | undefined, R | undefined, undefined>
  | AsyncIterator<R | undefined, R | undefined, undefined>;

/** Runs something in the context that the user's code is to see. */
export type Enter = <R>(act: () => R) => R;

/** Options of `query`, `command` and `connection`. */
export interface HandlerOptions {
  /** Answers only the first match, until `restoreHandlers`. */
  readonly once?: boolean;
}

/** What all handlers have. */
export interface HandlerBase {
  /** `query(/…/)`, as messages name it. */
  readonly title: string;
  /** Where it was defined: `file:line:column`. */
  readonly source: string;
}

/** A handler that is asked; `Facts` is what its resolver gets to see, `R` what it answers. */
export interface Asked<Facts, R = Answer> extends HandlerBase {
  readonly once: boolean;
  readonly resolver: Resolver<Facts, R>;
}

type AnyIterator = Iterator<unknown, unknown, undefined> | AsyncIterator<unknown, unknown, undefined>;

/** What one server has asked of one handler so far. */
export class HandlerUse {
  #used = false;
  #iterator: AnyIterator | undefined;
  #last: unknown;

  get used(): boolean {
    return this.#used;
  }

  restore(): void {
    this.#used = false;
  }

  async ask<Facts, R>(handler: Asked<Facts, R>, facts: Facts): Promise<R | undefined> {
    // Before anything is waited for: the next match must not come in between.
    if (handler.once) this.#used = true;
    const response = (await this.#resolve(handler.resolver(facts))) as R | undefined;
    if (response === undefined && handler.once) this.#used = false;
    return response;
  }

  async #resolve(result: unknown): Promise<unknown> {
    // A generator that was begun goes on; the one just made has not run, and is let go.
    this.#iterator ??= isIterator(result) ? result : undefined;
    if (this.#iterator === undefined) return await result;
    const step = await this.#iterator.next();
    if (step.done !== true || step.value !== undefined) this.#last = step.value;
    return this.#last;
  }
}

function isIterator(value: unknown): value is AnyIterator {
  return typeof value === 'object' && value !== null && 'next' in value;
}
