/** A scenario's `answers:` as the first say on what clients ask. The first that fits and is not used up answers. */
import { commandNames } from '../protocol/replication-command.js';
import type { AnswerOutcome, Answer as ScenarioAnswer } from '../scenario/steps.js';
import type { SqlOutput } from '../sql/engine.js';
import { WireError } from '../values/wire-error.js';
import type { Answer, Answers, ConnectionAnswer, ConnectionFacts } from './answers.js';

export function scenarioAnswers(answers: readonly ScenarioAnswer[]): Answers {
  const left = new Map(answers.map((answer) => [answer, answer.times]));
  const take = (facts: Partial<ConnectionFacts>, fits: (to: ScenarioAnswer['to']) => boolean) => {
    const answer = answers.find((one) => left.get(one)! > 0 && fits(one.to) && isMeant(one.when, facts));
    if (answer) left.set(answer, left.get(answer)! - 1);
    return answer;
  };
  return {
    connection: (stage, facts) => connectionAnswer(take(facts, (to) => 'on' in to && to.on === stage)),
    query: (facts) =>
      queryAnswer(
        take(facts, (to) => {
          if ('on' in to) return facts.command !== null && to.on === commandNames[facts.command.kind];
          return typeof to.query === 'string' ? to.query === facts.text : facts.text.search(to.query) >= 0;
        }),
      ),
  };
}

function isMeant(
  when: ScenarioAnswer['when'],
  { user, database, parameters, tls, replication }: Partial<ConnectionFacts>,
) {
  return (
    (when.user ?? user) === user &&
    (when.database ?? database) === database &&
    (when.applicationName ?? parameters?.get('application_name')) === parameters?.get('application_name') &&
    (when.tls ?? tls) === tls &&
    (when.replication === undefined || when.replication === (replication !== 'off'))
  );
}

function connectionAnswer(answer: ScenarioAnswer | undefined): ConnectionAnswer | undefined {
  if (!answer) return undefined;
  const { outcome } = answer;
  const before = beforeOf(answer);
  switch (outcome?.kind) {
    case 'refuse':
      return { kind: 'refuseTls', ...before };
    case 'askFor':
      return { kind: 'authenticate', method: outcome.method, ...before };
    case 'mechanisms':
      return { kind: 'authenticate', method: 'scram-sha-256', mechanisms: outcome.names, ...before };
    case 'rows':
      throw new TypeError('a connection is not answered with rows');
    default:
      return { ...otherwise(outcome), ...before };
  }
}

function queryAnswer(answer: ScenarioAnswer | undefined): Answer | undefined {
  if (!answer) return undefined;
  const { outcome } = answer;
  const before = beforeOf(answer);
  switch (outcome?.kind) {
    case 'rows':
      return { kind: 'outputs', outputs: outputsOf(outcome), ...before };
    case 'refuse':
    case 'askFor':
    case 'mechanisms':
      throw new TypeError(`a query is not answered with ${outcome.kind}`);
    default:
      return { ...otherwise(outcome), ...before };
  }
}

/** What queries and connections can both be answered with. */
function otherwise(outcome: Extract<AnswerOutcome, { kind: 'error' | 'disconnect' }> | null | undefined) {
  switch (outcome?.kind) {
    case 'error':
      return { kind: 'error', error: new WireError(outcome.error) } as const;
    case 'disconnect':
      return {
        kind: 'disconnect',
        how: ({ reset: 'reset', close: 'end', 'half-open': 'keep' } as const)[outcome.how],
      } as const;
    default:
      return { kind: 'pass' } as const;
  }
}

function beforeOf({ delayMilliseconds, notices, parameters }: ScenarioAnswer): Pick<Answer, 'delay' | 'before'> {
  const before = [
    ...notices.map((notice) => ({ kind: 'notice', notice: new WireError(notice) }) as const),
    ...parameters.map(([name, value]) => ({ kind: 'parameter', name, value }) as const),
  ];
  return {
    ...(delayMilliseconds > 0 && { delay: delayMilliseconds }),
    ...(before.length > 0 && { before }),
  };
}

function outputsOf({ rows, columns }: Extract<AnswerOutcome, { kind: 'rows' }>): SqlOutput[] {
  return [
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
}
