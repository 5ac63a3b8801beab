/** Handlers' answers in a session: when they come, and what comes before them. */
import type { Answer, ConnectionAnswer, MaybePromise } from './answers.js';
import type { SessionInside } from './inside.js';
import { writeOutput } from './outputs-run.js';
import { Pause } from './pause.js';

type Given<T> = Exclude<T, { readonly kind: 'pass' }> | undefined;

/** @param then - gets undefined when the server is to answer itself */
export function ask<T extends Answer | ConnectionAnswer>(
  session: SessionInside,
  asked: MaybePromise<T | undefined>,
  then: (answer: Given<T>) => void,
): void {
  session.later(asked, (answer) => {
    const give = (): void => {
      for (const output of answer?.before ?? []) writeOutput(session.output.writer, output);
      then(answer?.kind === 'pass' ? undefined : (answer as Given<T>));
    };
    if (answer?.delay === undefined) give();
    else session.perform(new Pause(session.clock, answer.delay), give);
  });
}
