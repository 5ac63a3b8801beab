/** What can be asked of the control endpoint: a table of routes, each with its parameters. */
import { eventToJson } from '../live/event-json.js';
import { eventKinds } from '../live/events.js';
import type { LiveServer } from '../live/index.js';
import { formatLsn } from '../values/lsn.js';
import { findingToJson, isMet } from '../verdict/index.js';
import { answerWhenConfirmed, type StreamEnds } from './confirmation.js';
import type { EventWindow } from './event-window.js';
import { HttpError } from './http-error.js';
import type { ControlRequest } from './request.js';

export interface ControlContext {
  readonly live: LiveServer;
  readonly window: EventWindow;
  readonly ends: StreamEnds;
}

interface Route {
  readonly summary: string;
  readonly parameters: readonly string[];
  /** @param signal - aborts when the client has gone, or the endpoint closes */
  run(context: ControlContext, request: ControlRequest, signal: AbortSignal): unknown;
}

/** The one that the request names, or else the first. @throws HttpError 400 for one that there is not */
function databaseOf(request: ControlRequest, { databases, mainScenario }: LiveServer): string {
  const name = request.optional('database') ?? mainScenario.name;
  if (databases.has(name)) return name;
  throw new HttpError(400, `there is no database "${name}": there are ${[...databases.keys()].join(', ')}`);
}

const fault: Route = {
  summary:
    'performs a fault now, at the next message boundary of the streams of `slot` (all), or else of the next that starts',
  parameters: ['slot', 'database'],
  async run({ live }, request) {
    const slot = request.optional('slot');
    const step = live.readFault(await request.text(), databaseOf(request, live));
    // Not awaited: it may be performed on a stream that has yet to start.
    void live.inject(step, slot === undefined ? {} : { slot });
    return { kind: step.kind };
  },
};

const publish: Route = {
  summary: 'executes a step of the stream, or a list of them: every client gets what it writes',
  parameters: ['database'],
  async run({ live, ends }, request) {
    const text = await request.text();
    // Cleared first: streams go on while it is executed.
    ends.clear();
    const { endLsn, xid, commitLsn, ends: records, warnings } = live.publishStep(text, databaseOf(request, live));
    return {
      endLsn: formatLsn(endLsn),
      ...(xid !== undefined && { xid }),
      ...(commitLsn !== undefined && { commitLsn: formatLsn(commitLsn) }),
      ends: records.map((end) => ({ ...end, lsn: formatLsn(end.lsn), endLsn: formatLsn(end.endLsn) })),
      warnings,
    };
  },
};

const reset: Route = {
  summary: 'makes everything as just started: slots, WAL, history and verdict; clients are thrown out',
  parameters: [],
  run({ live, window, ends }) {
    live.reset();
    window.clear();
    ends.clear();
    return {};
  },
};

const history: Route = {
  summary: 'what happened, from the event with the number `since` on, of one `kind`, at most `limit` events',
  parameters: ['since', 'limit', 'kind'],
  run({ window }, request) {
    const since = Math.max(request.count('since', 0), window.first);
    const kind = request.optional('kind');
    if (kind !== undefined && !eventKinds.has(kind)) {
      throw new HttpError(400, `there are no events "${kind}": there are ${[...eventKinds].join(', ')}`);
    }
    const limit = request.count('limit', 10_000);
    const events = window.since(since);
    const found = [...events.keys()].filter((index) => kind === undefined || events[index]!.kind === kind);
    const next = since + (found.length > limit ? found[limit]! : events.length);
    const shown = found.slice(0, limit).map((index) => eventToJson(events[index]!));
    // Numbers before `first` are no longer held.
    return { first: window.first, next, total: window.next, events: shown };
  },
};

const verdict: Route = {
  summary: 'how each expectation of the scenarios stands',
  parameters: [],
  run({ live }) {
    const now = live.clock.monotonic();
    const findings = live.verdict.findings(now);
    return {
      met: findings.every(isMet),
      settled: live.verdict.settled(now),
      expectations: findings.map((finding) => findingToJson(finding, live.verdict.startedAt)),
    };
  },
};

const wait: Route = {
  summary:
    'answers when `slot` has confirmed `flushed`, an LSN, a label or `end`; 408 when that took longer than `within`',
  parameters: ['slot', 'flushed', 'within'],
  run({ live, ends }, request, signal) {
    const asked = {
      slot: request.required('slot'),
      flushed: request.optional('flushed') ?? 'end',
      within: request.duration('within', 10_000),
    };
    return answerWhenConfirmed(live, ends, asked, signal);
  },
};

/** By path and method. */
export const routes: Readonly<Record<string, Readonly<Record<string, Route>>>> = {
  '/fault': { POST: fault },
  '/publish': { POST: publish },
  '/reset': { POST: reset },
  '/history': { GET: history },
  '/verdict': { GET: verdict },
  '/wait': { GET: wait },
};
