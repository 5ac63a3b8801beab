/** The handlers as the first say on what clients ask, and what is unhandled as the last. */
import type { Answer, Answers, MaybePromise, QueryFacts } from '../walsender/answers.js';
import type { ConnectionHandler } from './connection-handler.js';
import { nameOfCommand, type CommandHandler } from './command-handler.js';
import type { Asked } from './handler.js';
import type { HandlerStore } from './handler-store.js';
import { queryInfo, type QueryHandler } from './query-handler.js';

type AskedHandler = QueryHandler | CommandHandler | ConnectionHandler;

/** A handler that fits, and what its resolver gets. */
interface Candidate {
  readonly handler: AskedHandler;
  readonly facts: unknown;
}

export function handlerAnswers(store: HandlerStore, unanswered: NonNullable<Answers['unanswered']>): Answers {
  /** The first response; nothing is waited for where no handler fits. */
  const ask = (candidates: readonly Candidate[]): MaybePromise<Answer | undefined> =>
    candidates.length === 0 ? undefined : askInTurn(candidates, store);
  return {
    connection: (stage, facts) =>
      ask(
        store
          .of('connection')
          .filter((handler) => handler.stage === stage)
          .map((handler) => ({ handler, facts })),
      ),
    query: (facts) => ask(store.list.flatMap((handler) => queryCandidate(handler, facts) ?? [])),
    mayAnswer: (facts) =>
      store.list.some((handler) => {
        const candidate = queryCandidate(handler, facts);
        return candidate !== undefined && !(candidate.handler.once && store.useOf(candidate.handler).used);
      }),
    unanswered,
  };
}

function queryCandidate(handler: HandlerStore['list'][number], facts: QueryFacts): Candidate | undefined {
  if (handler.kind === 'command') {
    const fits = facts.command !== null && nameOfCommand(facts.command.kind) === handler.name;
    return fits ? { handler, facts } : undefined;
  }
  const fit = handler.kind === 'query' ? handler.fit(facts.text) : undefined;
  return fit && handler.kind === 'query' ? { handler, facts: queryInfo(facts, fit.match) } : undefined;
}

async function askInTurn(candidates: readonly Candidate[], store: HandlerStore): Promise<Answer | undefined> {
  for (const { handler, facts } of candidates) {
    const use = store.useOf(handler);
    if (handler.once && use.used) continue;
    const response = await use.ask(handler as Asked<unknown>, facts);
    if (response === undefined) continue;
    return response.kind === 'passthrough' ? undefined : response;
  }
  return undefined;
}
