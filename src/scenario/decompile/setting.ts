/** What must hold before the first message: the server, the client, where WAL stands. */
import { recordSize } from '../../database/index.js';
import { newestMajor } from '../../postgres/index.js';
import type { Survey } from '../../timeline/survey.js';
import type { ClientOptions } from '../settings.js';

/** @param serverVersion - where it is known */
export function majorOf(facts: Survey, serverVersion: string | undefined): number {
  const given = serverVersion === undefined ? undefined : Number.parseInt(serverVersion, 10);
  const stable = 18;
  return given ?? Math.max(Math.min(stable, facts.newestMajor, newestMajor), facts.oldestMajor);
}

/** What is not known that the client asked for is what it got. */
export function clientOf(facts: Survey, asked: Partial<ClientOptions> = {}): ClientOptions {
  const streaming = asked.streaming ?? facts.streaming;
  // A slot's own property does without the option.
  const twoPhase = facts.twoPhase || (asked.twoPhase ?? false);
  const needed = streaming === 'parallel' ? 4 : twoPhase ? 3 : streaming === 'on' ? 2 : 1;
  return {
    protoVersion: asked.protoVersion ?? needed,
    streaming,
    twoPhase,
    binary: asked.binary ?? facts.binary,
    messages: asked.messages ?? facts.messages,
    origin: asked.origin ?? 'any',
    publications: undefined,
    late: false,
  };
}

/** Where WAL stands before it all: nothing that ends lies before it. */
export function startOf({ lowestLsn, lowestEnd }: Survey): bigint {
  if (lowestEnd === null) return lowestLsn ?? 0x150_0000n;
  const lowest = lowestLsn !== null && lowestLsn < lowestEnd ? lowestLsn : lowestEnd;
  // A message's record has a start, too.
  return lowest === lowestEnd && lowest > recordSize.message ? lowest - recordSize.message : lowest;
}
