/** What the handlers have in common: where they were defined, whether they answer once, and resolvers that are generators. */
import type { HandlerResponse } from './response.js';

type MaybePromise<T> = T | Promise<T>;

/** `undefined`: the next handler is asked. */
export type ResolverResult = HandlerResponse | undefined;

/**
 * A function, or a generator function: each match takes its next value, and once it is done every match gets its last one.
 */
export type Resolver<Facts> = (
  facts: Facts,
) =>
  | MaybePromise<ResolverResult>
  | Iterator<ResolverResult, ResolverResult, undefined>
  | AsyncIterator<ResolverResult, ResolverResult, undefined>;

export interface HandlerOptions {
  /** Answers only the first match, until `restoreHandlers`. */
  readonly once?: boolean;
}

export interface HandlerBase {
  /** `query(/…/)`, as messages name it. */
  readonly title: string;
  /** Where it was defined: `file:line:column`. */
  readonly source: string;
}

/** A handler that is asked; `Facts` is what its resolver gets to see. */
export interface Asked<Facts> extends HandlerBase {
  readonly once: boolean;
  readonly resolver: Resolver<Facts>;
}

/** What one server has asked of one handler so far. */
export class HandlerUse {
  #used = false;
  #iterator: Iterator<ResolverResult, ResolverResult> | AsyncIterator<ResolverResult, ResolverResult> | undefined;
  #last: ResolverResult;

  get used(): boolean {
    return this.#used;
  }

  restore(): void {
    this.#used = false;
  }

  async ask<Facts>(handler: Asked<Facts>, facts: Facts): Promise<ResolverResult> {
    // Before anything is waited for: the next match must not come in between.
    if (handler.once) this.#used = true;
    const response = await this.#resolve(handler, facts);
    if (response === undefined && handler.once) this.#used = false;
    return response;
  }

  async #resolve<Facts>(handler: Asked<Facts>, facts: Facts): Promise<ResolverResult> {
    if (this.#iterator === undefined) {
      const result = handler.resolver(facts);
      if (!isIterator(result)) return (await result) ?? undefined;
      this.#iterator = result;
    }
    const step = await this.#iterator.next();
    const value = step.value ?? undefined;
    if (step.done !== true || value !== undefined) this.#last = value;
    return this.#last;
  }
}

function isIterator(
  value: ReturnType<Resolver<never>>,
): value is Iterator<ResolverResult> | AsyncIterator<ResolverResult> {
  return typeof value === 'object' && 'next' in value;
}
