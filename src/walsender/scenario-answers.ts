/** A scenario's `answers:` as the first say on what clients ask. The first that fits and is not used up answers. */
import { commandNames } from '../protocol/replication-command.js';
import type { Answer as ScenarioAnswer } from '../scenario/steps.js';
import type { SqlOutput } from '../sql/engine.js';
import { WireError } from '../values/wire-error.js';
import type { Answer, Answers } from './answers.js';

export function scenarioAnswers(answers: readonly ScenarioAnswer[]): Answers {
  const left = new Map(answers.map((answer) => [answer, answer.times]));
  const give = (fits: (answer: ScenarioAnswer) => boolean): Answer | undefined => {
    const answer = answers.find((candidate) => left.get(candidate)! > 0 && fits(candidate));
    if (!answer) return undefined;
    left.set(answer, left.get(answer)! - 1);
    return answer.kind === 'query' ? rows(answer) : { kind: 'error', error: new WireError(answer.error) };
  };
  return {
    connection: (stage) => give((answer) => answer.kind === 'eventError' && answer.on === stage),
    query: ({ text, command }) =>
      give((answer) => {
        if (answer.kind === 'eventError') return command !== null && answer.on === commandNames[command.kind];
        const { query } = answer;
        return typeof query === 'string' ? query === text : text.search(query) >= 0;
      }),
  };
}

function rows({ rows, columns }: Extract<ScenarioAnswer, { kind: 'query' }>): Answer {
  const outputs: SqlOutput[] = [
    {
      kind: 'rowDescription',
      fields: columns.map(({ name, type, typeModifier }) => ({
        name,
        tableOid: 0,
        attnum: 0,
        typeOid: type.oid,
        typeLength: type.length,
        typeModifier,
        format: 0,
      })),
    },
    ...rows.map((values) => ({ kind: 'row', values }) as const),
    { kind: 'complete', tag: `SELECT ${rows.length}` },
  ];
  return { kind: 'outputs', outputs };
}
