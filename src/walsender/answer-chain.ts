/** Several answerers as one: the first that answers. */
import type { Answers, MaybePromise } from './answers.js';

/** Undefined where there is none: then nobody is asked. */
export function chainAnswers(all: readonly (Answers | undefined)[]): Answers | undefined {
  const answerers = all.filter((answers) => answers !== undefined);
  if (answerers.length < 2) return answerers[0];
  return {
    connection: (stage, facts) => first(answerers, (answers) => answers.connection?.(stage, facts)),
    query: (facts) => first(answerers, (answers) => answers.query?.(facts)),
    mayAnswer: (facts) => answerers.some((answers) => answers.mayAnswer?.(facts)),
    unanswered: (facts, error) => first(answerers, (answers) => answers.unanswered?.(facts, error)),
    describe: (facts) => first(answerers, (answers) => answers.describe?.(facts)),
  };
}

/**
 * Each database's own. Before a client has said which one it wants, all are asked in turn; one that there is not has the first's.
 */
export function answersByDatabase(byName: ReadonlyMap<string, Answers>): Answers {
  const [main] = byName.values();
  const of = (database: string): Answers | undefined => byName.get(database) ?? main;
  const all = chainAnswers([...byName.values()]);
  return {
    connection: (stage, facts) => (facts.database === undefined ? all : of(facts.database))?.connection?.(stage, facts),
    query: (facts) => of(facts.database)?.query?.(facts),
    mayAnswer: (facts) => of(facts.database)?.mayAnswer?.(facts) ?? false,
    unanswered: (facts, error) => of(facts.database)?.unanswered?.(facts, error),
  };
}

function first<T>(
  answerers: readonly Answers[],
  ask: (answers: Answers) => MaybePromise<T | undefined>,
  from = 0,
): MaybePromise<T | undefined> {
  for (let i = from; i < answerers.length; i++) {
    const answer = ask(answerers[i]!);
    if (answer instanceof Promise) return answer.then((given) => given ?? first(answerers, ask, i + 1));
    if (answer) return answer;
  }
  return undefined;
}
