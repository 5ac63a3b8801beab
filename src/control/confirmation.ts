/** GET /wait: until a slot has confirmed a position. */
import { waitForConfirmation } from '../live/confirmation.js';
import type { LiveEvent, LiveServer } from '../live/index.js';
import { formatLsn, parseLsn } from '../values/lsn.js';
import { HttpError } from './http-error.js';

/** Where the streams of slots that have been sent everything ended: what `end` is. */
export class StreamEnds {
  readonly #ends = new Map<string, bigint>();

  follow(event: LiveEvent): void {
    if (event.kind === 'replication:caughtUp') this.#ends.set(event.slot, event.lsn);
    else if (event.kind === 'message:sent') this.#ends.delete(event.slot);
  }

  of(slot: string): bigint | undefined {
    return this.#ends.get(slot);
  }

  /** There is more WAL, or all of it is gone. */
  clear(): void {
    this.#ends.clear();
  }
}

export interface Confirmation {
  readonly slot: string;
  /** An LSN, a label, or `end`: everything that there is. */
  readonly flushed: string;
  /** Milliseconds. */
  readonly within: number;
}

/**
 * Resolves to where the slot stands then.
 * @throws HttpError 400 for a position that there is not, 408 when the time is up
 */
export async function answerWhenConfirmed(
  live: LiveServer,
  ends: StreamEnds,
  { slot, flushed, within }: Confirmation,
  signal: AbortSignal,
): Promise<{ readonly slot: string; readonly confirmed: string }> {
  const target = flushed === 'end' ? undefined : positionOf(live, flushed);
  const { slots } = live.server.cluster;
  const confirmed = (): bigint | null => slots.find(slot)?.confirmedFlushLsn ?? null;
  try {
    const options = { timeout: Math.max(within, 1), signal };
    await waitForConfirmation(live, slot, () => target ?? ends.of(slot), flushed, options);
  } catch (error) {
    const stands = confirmed();
    throw new HttpError(408, (error as Error).message, {
      slot,
      confirmed: stands === null ? null : formatLsn(stands),
    });
  }
  return { slot, confirmed: formatLsn(confirmed()!) };
}

function positionOf(live: LiveServer, text: string): bigint {
  try {
    return parseLsn(text);
  } catch {
    const { labels } = live;
    const lsn = labels.get(text);
    if (lsn !== undefined) return lsn;
    const known = labels.size === 0 ? '' : `: ${[...labels.keys()].join(', ')}`;
    throw new HttpError(400, `"${text}" is neither an LSN nor \`end\` nor a label of the stream${known}`);
  }
}
