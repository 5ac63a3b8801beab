import { parseIdentifierList } from '../../protocol/identifier.js';
import type { PluginOption } from '../../protocol/replication-command.js';
import {
  met,
  open,
  unmet,
  type ExpectationOf,
  type Follower,
  type Judgement,
  type Rule,
  type VerdictEvent,
} from '../follower.js';

type StartReplication = ExpectationOf<'startReplication'>;
type ExpectedOption = StartReplication['options'][number];

/** The options of every START_REPLICATION of the slot; others than those named are free. */
export const startReplication: Rule<StartReplication> = {
  scope: 'slot',
  expected: ({ options }) =>
    `start_replication: ${options.map(({ name, values }) => `${name} ${values.join(', ')}`).join(', ')}`,
  follower: (expectation) => new StartReplicationFollower(expectation),
};

class StartReplicationFollower implements Follower {
  #result: Judgement = open('did not start');

  constructor(private readonly expectation: StartReplication) {}

  follow(event: VerdictEvent, now: number): void {
    if (event.kind !== 'replication:start' || this.#result.status === 'unmet') return;
    for (const expected of this.expectation.options) {
      const given = event.options.find(({ name }) => name === expected.name);
      if (given && sameValue(expected, given)) continue;
      const seen = given
        ? `asked for ${given.name} ${given.value ?? '(no value)'}, not ${expected.values.join(', ')}`
        : `did not ask for ${expected.name} ${expected.values.join(', ')}`;
      this.#result = unmet(seen, event.startLsn, now);
      return;
    }
    this.#result = met('asked for these', event.startLsn, now);
  }

  judge(): Judgement {
    return this.#result;
  }
}

/** A list is one of names, in which order, case folding and quotes are the server's to settle. */
function sameValue({ name, values }: ExpectedOption, { value }: PluginOption): boolean {
  if (value === null) return false;
  if (name !== 'publication_names') return values.length === 1 && value === values[0];
  const given = parseIdentifierList(value);
  return given !== undefined && JSON.stringify([...given].sort()) === JSON.stringify([...values].sort());
}
