/**
 * The bytes of an Update under every replica identity × what happens to the key × text or binary × plain or streamed,
 * explained field by field in test/golden/updates/*.txt. What they should be is known from real servers: the oracle's
 * workload `own-update-identities` makes the same updates.
 */
import { describe, expect, it } from '@jest/globals';
import { explain } from '../../src/pgoutput/index.js';
import { encodeScenario, readScenario, requireScenario } from '../../src/scenario/index.js';
import { expectGolden } from '../scenario/golden-text.js';

const identities = { default: 'default', index: '{ index: t_key }', full: 'full', nothing: 'nothing' } as const;
type Identity = keyof typeof identities;

const updates = {
  'key changed': 'where: { key: k1 }, set: { key: k2 }',
  'key unchanged': 'where: { key: k1 }, set: { note: new }',
  'key toasted, unchanged': `where: { key: "${'K'.repeat(40)}" }, set: { note: new }`,
} as const;

function scenarioText(identity: Identity, update: string, streamed: boolean): string {
  const change = `{ update: t, ${update} }`;
  return `
scenario: An update under replica identity ${identity}
tables:
  t:
    oid: 16385
    replica_identity: ${identities[identity]}
    ${identity === 'index' ? 'indexes: { t_key: { unique: [key] } }' : 'primary_key: [key]'}
    columns: { key: text not null, note: text, amount: int }
    rows:
      - { key: k1, note: old, amount: 7 }
      - { key: !toasted "${'K'.repeat(40)}", note: old, amount: 7 }
stream:
${streamed ? `  - { open: big, changes: [${change}] }\n  - commit: big` : `  - transaction: { changes: [${change}] }`}
`;
}

/** The Update of the only transaction, explained; or why a server refuses the statement. */
function explained(text: string, binary: boolean, streamed: boolean): string {
  const loaded = readScenario(text);
  if (loaded.scenario === undefined) return loaded.problems.map(({ message }) => `refused: ${message}`).join('\n');
  const client = streamed ? ({ protoVersion: 2, streaming: 'on', binary } as const) : { binary };
  const messages = [...encodeScenario(requireScenario(loaded), client)];
  const relations = messages.flatMap(({ message }) => (message.kind === 'relation' ? [message] : []));
  const update = messages.find(({ kind }) => kind === 'update')!;
  const { fields, error } = explain(update.payload, { ...client, inStream: streamed, relations });
  expect(error).toBeNull();
  return fields
    .map(({ offset, length, path, value, meaning }) => {
      const bytes = Buffer.from(update.payload.subarray(offset, offset + length)).toString('hex');
      return `${String(offset).padStart(3)}  ${bytes}  ${path} = ${value}  (${meaning})`;
    })
    .join('\n');
}

describe.each(Object.keys(identities) as Identity[])('an Update under replica identity %s', (identity) => {
  it.each([
    ['text', false],
    ['binary', true],
  ] as const)('in %s, plain and streamed', (form, binary) => {
    const sections = Object.entries(updates).flatMap(([name, update]) =>
      [false, true].map((streamed) => {
        const title = `== ${identity}, ${name}, ${form}, ${streamed ? 'streamed' : 'plain'}`;
        return `${title}\n${explained(scenarioText(identity, update, streamed), binary, streamed)}\n`;
      }),
    );
    expectGolden(`test/golden/updates/${identity}-${form}.txt`, sections.join('\n'));
  });
});
