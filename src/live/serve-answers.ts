/** Who answers what clients ask, before the server itself: the scenarios, then the owner's handlers. */
import type { Scenario } from '../scenario/index.js';
import { answersByDatabase, chainAnswers } from '../walsender/answer-chain.js';
import type { Answers } from '../walsender/answers.js';
import { scenarioAnswers } from '../walsender/scenario-answers.js';

/** Undefined where nobody would. Every call counts `times` anew. */
export function serveAnswers(scenarios: readonly Scenario[], own: Answers | undefined): Answers | undefined {
  const written = scenarios.some(({ answers }) => answers.length > 0)
    ? answersByDatabase(new Map(scenarios.map(({ name, answers }) => [name, scenarioAnswers(answers)])))
    : undefined;
  return chainAnswers([written, own]);
}
