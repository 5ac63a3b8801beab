/** The scenarios that come along, and generated ones: what a client gets of them, told as a scenario, is what it gets of that. */
import { describe, expect, it } from '@jest/globals';
import { decompile } from '../../src/scenario/decompile/decompile.js';
import {
  encodeScenario,
  readScenario,
  requireScenario,
  type ClientOptions,
  type EncodedMessage,
  type Scenario,
} from '../../src/scenario/index.js';
import { loadScenario } from '../../src/scenario-file.js';
import { formatLsn } from '../../src/values/lsn.js';
import { scenarioFiles } from '../scenario/scenario-files.js';
import { partOf } from '../corpus/corpus.js';

type Client = Partial<ClientOptions>;

const plain: Client = {
  protoVersion: 1,
  streaming: 'off',
  twoPhase: false,
  binary: false,
  messages: false,
  late: false,
};
const clients: readonly (readonly [name: string, oldest: number, client: Client])[] = [
  ['protocol 1', 10, plain],
  ['messages and binary', 14, { ...plain, messages: true, binary: true }],
  ['streaming', 14, { ...plain, protoVersion: 2, streaming: 'on', messages: true }],
  ['streaming in parallel', 16, { ...plain, protoVersion: 4, streaming: 'parallel', messages: true }],
  ['two-phase', 15, { ...plain, protoVersion: 3, twoPhase: true, streaming: 'on', messages: true }],
];

/** Of a long stream its beginning, to where a capture may end: not within a streamed block. */
const enough = 400;

function* beginning(messages: Iterable<EncodedMessage>): Generator<EncodedMessage> {
  let count = 0;
  let inBlock = false;
  for (const message of messages) {
    if (count++ >= enough && !inBlock) return;
    inBlock = message.kind === 'streamStart' || (inBlock && message.kind !== 'streamStop');
    yield message;
  }
}

function sent(scenario: Scenario, client: Client = {}): string[] {
  return Array.from(beginning(encodeScenario(scenario, client)), ({ lsn, payload }) => {
    return `${formatLsn(lsn)} ${Buffer.from(payload).toString('hex')}`;
  });
}

function roundTrip(scenario: Scenario, client: Client): string[] {
  const capture = Array.from(beginning(encodeScenario(scenario, client)), ({ message, lsn }) => ({ message, lsn }));
  const text = [...decompile(capture, { title: 'again', serverVersion: scenario.server.version, client })].join('');
  const { scenario: again, problems } = readScenario(text);
  expect(problems).toEqual([]);
  return sent(again!);
}

describe.each(scenarioFiles.map(([name, path], turn) => [name, path, turn] as const))('%s', (_, path, turn) => {
  const scenario = requireScenario(loadScenario(path));
  const known = clients.filter(([, oldest]) => oldest <= scenario.server.major);

  it.each(partOf(known, clients.length, turn))('%s', (_name, _oldest, client) => {
    expect(roundTrip(scenario, client)).toEqual(sent(scenario, client));
  });
});
