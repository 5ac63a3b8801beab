/** `answers:`, with the values of their rows. */
import type { ScenarioDocument } from '../document.js';
import type { Answer as WrittenAnswer } from '../format/answers.js';
import type { Answer, AnswerOutcome } from '../steps.js';
import { datumText } from './cells.js';
import type { Compilation } from './compilation.js';
import { constantDatum } from './declarations.js';
import { milliseconds, noticeOf, wireError } from './steps.js';

export function answersOf(document: ScenarioDocument, compilation: Compilation): Answer[] {
  return (document.answers ?? []).map((answer) => {
    const { when, delay, times, notices, parameters, source } = answer;
    return {
      to: answer.kind === 'on' ? { on: answer.on.value } : { query: answer.query.value },
      when: {
        user: when?.user?.value,
        database: when?.database?.value,
        applicationName: when?.applicationName?.value,
        tls: when?.tls?.value,
        replication: when?.replication?.value,
      },
      times: times?.value ?? Infinity,
      delayMilliseconds: delay === undefined ? 0 : milliseconds(delay),
      notices: (notices ?? []).map(noticeOf),
      parameters: (parameters ?? []).map(({ name, value }) => [name.value, value.value] as const),
      outcome: outcomeOf(answer, compilation),
      source,
    };
  });
}

function outcomeOf(answer: WrittenAnswer, compilation: Compilation): AnswerOutcome | null {
  if (answer.error !== undefined) return { kind: 'error', error: wireError(answer.error) };
  if (answer.disconnect !== undefined) return { kind: 'disconnect', how: answer.disconnect.value };
  if (answer.kind === 'query') return answer.rows === undefined ? null : rowsOf(answer, answer.rows, compilation);
  if (answer.refuse?.value === true) return { kind: 'refuse' };
  if (answer.askFor !== undefined) return { kind: 'askFor', method: answer.askFor.value };
  if (answer.mechanisms === undefined) return null;
  return { kind: 'mechanisms', names: answer.mechanisms.map(({ value }) => value) };
}

type QueryAnswer = Extract<WrittenAnswer, { kind: 'query' }>;

function rowsOf(
  { types }: QueryAnswer,
  written: NonNullable<QueryAnswer['rows']>,
  compilation: Compilation,
): AnswerOutcome {
  const names = new Set(written.flatMap((row) => row.map(({ name }) => name.value)));
  for (const { name } of types ?? []) names.add(name.value);
  const columns = [...names].map((name) => {
    const reference = types?.find((entry) => entry.name.value === name)?.value;
    const { type, typeModifier } = (reference && compilation.types.resolve(reference)) ?? compilation.types.text;
    return { name, type, typeModifier };
  });
  const rows = written.map((row) =>
    columns.map((column) => {
      const value = row.find(({ name }) => name.value === column.name)?.value;
      const datum = value && constantDatum(value, column, compilation);
      return datum === undefined ? null : datumText(datum);
    }),
  );
  return { kind: 'rows', rows, columns };
}
