/** What becomes of queries that neither a handler nor the server can answer, by the strategy that `listen` was given. */
import type { Upstream } from '../client/index.js';
import type { LiveEvent, LiveEventOf } from '../live/index.js';
import type { Answer, Answers, QueryFacts } from '../walsender/answers.js';
import type { HandlerStore } from './handler-store.js';
import type { ListenOptions } from './listen-options.js';
import { printUnhandled, unhandledMessage, type UnhandledCallback, type UnhandledQuery } from './unhandled.js';

export class LastAnswers {
  /** By process id. */
  readonly #connections = new Map<number, LiveEventOf<'startup'>>();
  #upstream: Upstream | undefined;

  constructor(
    private readonly store: HandlerStore,
    private readonly options: ListenOptions,
  ) {}

  /** @throws Error for an upstream that is no URL */
  async open(): Promise<void> {
    const { onUnhandledQuery, upstream } = this.options;
    if (onUnhandledQuery !== 'bypass' || upstream === undefined) return;
    const { parseTarget, Upstream } = await import('../client/index.js');
    this.#upstream = new Upstream(parseTarget(upstream));
  }

  close(): void {
    this.#upstream?.close();
  }

  /** Who is asked last. */
  get answers(): Pick<Answers, 'unanswered' | 'describe'> {
    const upstream = this.#upstream;
    const { onUnhandledQuery: strategy } = this.options;
    if (upstream) {
      return { unanswered: (facts) => upstream.unanswered(facts), describe: (facts) => upstream.describe(facts) };
    }
    return typeof strategy === 'function' ? { unanswered: (facts) => this.#callBack(strategy, facts) } : {};
  }

  follow(event: LiveEvent): void {
    if (event.kind === 'startup') this.#connections.set(event.pid, event);
    if (event.kind === 'query:unhandled') this.#tell(event);
    if (event.kind === 'disconnect') {
      this.#connections.delete(event.pid);
      this.#upstream?.end(event.pid);
    }
  }

  #tell(event: LiveEventOf<'query:unhandled'>): void {
    const strategy = this.options.onUnhandledQuery ?? 'error';
    if (strategy === 'error' || strategy === 'warn') {
      printUnhandled(this.#message(event), strategy === 'warn' ? 'warning' : 'error');
    }
  }

  async #callBack(strategy: UnhandledCallback, facts: QueryFacts): Promise<Answer | undefined> {
    const message = this.#message({ ...facts, reason: 'nobody answers it' });
    return strategy(facts, {
      warning: () => printUnhandled(message, 'warning'),
      error: () => printUnhandled(message, 'error'),
    });
  }

  #message({ pid, text, reason }: Pick<UnhandledQuery, 'text' | 'reason'> & { readonly pid: number }): string {
    const { user = '?', database = '?' } = this.#connections.get(pid) ?? {};
    return unhandledMessage({ text, reason, user, database }, this.store.of('query'));
  }
}
