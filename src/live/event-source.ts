/** Listeners by kind of event, as `server.events` has them. */
import { eventKinds, type LiveEvent, type LiveEventKind, type LiveEventOf } from './events.js';

type Listener<K extends LiveEventKind> = (event: LiveEventOf<K>) => void;
type AnyListener = (event: LiveEvent) => void;

/** How long to wait. */
export interface WaitOptions {
  /** Milliseconds; 0: for ever. Default 5000. */
  readonly timeout?: number;
  /** Ends the waiting with its reason. */
  readonly signal?: AbortSignal;
}

/** Listeners by kind of event. */
export class EventSource {
  readonly #listeners = new Map<LiveEventKind | '*', Set<AnyListener>>();

  /** Calls `listener` for each event of this kind, `*` for every one; returns how to stop it. @throws TypeError for no kind */
  on<K extends LiveEventKind>(kind: K, listener: Listener<K>): () => void;
  on(kind: '*', listener: AnyListener): () => void;
  on(kind: LiveEventKind | '*', listener: (event: never) => void): () => void {
    if (kind !== '*' && !eventKinds.has(kind)) {
      throw new TypeError(`there are no events "${kind}": there are ${[...eventKinds].join(', ')}`);
    }
    const added = listener as AnyListener;
    const ofKind = this.#listeners.get(kind) ?? new Set();
    this.#listeners.set(kind, ofKind.add(added));
    return () => void ofKind.delete(added);
  }

  /** As `on`, for the next event only. */
  once<K extends LiveEventKind>(kind: K, listener: Listener<K>): () => void {
    const stop = this.on(kind, (event) => {
      stop();
      listener(event);
    });
    return stop;
  }

  /** Ends what `on` began. */
  removeListener<K extends LiveEventKind>(kind: K, listener: Listener<K>): void;
  removeListener(kind: '*', listener: AnyListener): void;
  removeListener(kind: LiveEventKind | '*', listener: (event: never) => void): void {
    this.#listeners.get(kind)?.delete(listener as AnyListener);
  }

  /** Of one kind, or of all. */
  removeAllListeners(kind?: LiveEventKind | '*'): void {
    if (kind === undefined) this.#listeners.clear();
    else this.#listeners.delete(kind);
  }

  /**
   * The next event of this kind, of those that fit.
   * @throws Error when its time is up; the signal's reason
   */
  next<K extends LiveEventKind>(
    kind: K,
    fits: (event: LiveEventOf<K>) => boolean = () => true,
    options: WaitOptions = {},
  ): Promise<LiveEventOf<K>> {
    return waitFor<LiveEventOf<K>>(
      (found) => this.on(kind, (event) => fits(event) && found(event)),
      () => `no event "${kind}" came`,
      options,
    );
  }

  /**
   * Tells it to all listeners. One that throws harms neither the others nor the server: what it throws is thrown again when they
   * are done.
   * @internal
   */
  emit(event: LiveEvent): void {
    for (const kind of [event.kind, '*'] as const) {
      for (const listener of [...(this.#listeners.get(kind) ?? [])]) {
        try {
          listener(event);
        } catch (error) {
          setImmediate(() => {
            throw error;
          });
        }
      }
    }
  }
}

/**
 * Waits for what a listener finds.
 * @param listen starts to listen, returns how to stop
 * @param failure what to say when the time is up
 */
export function waitFor<T>(
  listen: (found: (value: T) => void) => () => void,
  failure: () => string,
  { timeout = 5_000, signal }: WaitOptions,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const listening = { stop: (): void => undefined, over: false };
    const settle = (act: () => void): void => {
      listening.over = true;
      listening.stop();
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      act();
    };
    const abort = (): void => settle(() => reject(signal!.reason as Error));
    const timer =
      timeout > 0
        ? setTimeout(() => settle(() => reject(new Error(`${failure()} within ${timeout} ms`))), timeout)
        : undefined;
    signal?.addEventListener('abort', abort);
    listening.stop = listen((value) => settle(() => resolve(value)));
    // What is found at once is found before there was anything to stop.
    if (listening.over) listening.stop();
  });
}
