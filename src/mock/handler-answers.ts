/** The handlers as the first say on what clients ask, and what is unhandled as the last. */
import type { Answer, Answers, ConnectionAnswer, MaybePromise, QueryFacts } from '../walsender/answers.js';
import type { ConnectionHandler } from './connection-handler.js';
import { nameOfCommand, type CommandHandler } from './command-handler.js';
import type { Asked, Enter } from './handler.js';
import type { Handler, HandlerStore } from './handler-store.js';
import { queryInfo, type QueryHandler } from './query-handler.js';

/** A handler that fits, and what its resolver gets. */
interface Candidate<H = QueryHandler | CommandHandler | ConnectionHandler> {
  readonly handler: H;
  readonly facts: unknown;
}

/** @param last - who is asked when neither handlers nor the server have an answer */
export function handlerAnswers(
  store: HandlerStore,
  last: Pick<Answers, 'unanswered' | 'describe'>,
  enter: Enter,
): Answers {
  /** The first response; nothing is waited for where no handler fits. */
  const ask = <R>(candidates: readonly Candidate[]): MaybePromise<R | undefined> =>
    candidates.length === 0 ? undefined : enter(() => askInTurn<R>(candidates, store));
  return {
    connection: (stage, facts) =>
      ask<ConnectionAnswer>(
        store
          .of('connection')
          .filter((handler) => handler.stage === stage)
          .map((handler) => ({ handler, facts })),
      ),
    query: (facts) => ask<Answer>(queryCandidates(store, facts)),
    mayAnswer: (facts) =>
      queryCandidates(store, facts).some(({ handler }) => !(handler.once && store.useOf(handler).used)),
    ...last,
  };
}

function queryCandidates(store: HandlerStore, facts: QueryFacts): Candidate<QueryHandler | CommandHandler>[] {
  return store.list.flatMap((handler) => queryCandidate(handler, facts) ?? []);
}

function queryCandidate(handler: Handler, facts: QueryFacts): Candidate<QueryHandler | CommandHandler> | undefined {
  if (handler.kind === 'command') {
    const fits = facts.command !== null && nameOfCommand(facts.command.kind) === handler.name;
    return fits ? { handler, facts } : undefined;
  }
  const fit = handler.kind === 'query' ? handler.fit(facts.text) : undefined;
  return fit && handler.kind === 'query' ? { handler, facts: queryInfo(facts, fit.match) } : undefined;
}

async function askInTurn<R>(candidates: readonly Candidate[], store: HandlerStore): Promise<R | undefined> {
  for (const { handler, facts } of candidates) {
    const use = store.useOf(handler);
    if (handler.once && use.used) continue;
    const response = await use.ask(handler as unknown as Asked<unknown, R>, facts);
    if (response !== undefined) return response;
  }
  return undefined;
}
