/** Statements of other sessions beside a stream: answered, and sent on to the client that streams, as real servers did. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { createLiveServer } from '../../src/live/index.js';
import { decode } from '../../src/pgoutput/index.js';
import { readScenario, requireScenario } from '../../src/scenario/index.js';
import { parseLsn } from '../../src/values/lsn.js';
import { normalForm } from '../emit/normal-form.js';
import { play, type Outcome } from './live/play.js';
import { actions, scenario as text } from './live/statements.js';

const context = { protoVersion: 1, streaming: 'off', inStream: false } as const;

/** Positions, OIDs and times by rank; what a session was answered stays as it is. */
function comparable(outcomes: readonly Outcome[]): unknown[] {
  const sent = outcomes.flatMap(({ sent: messages }) =>
    messages.map(([lsn, payload]) => ({ lsn: parseLsn(lsn), message: decode(Buffer.from(payload, 'hex'), context) })),
  );
  const lines = normalForm(sent);
  return outcomes.map(({ sql, answer, sent: messages, notices, error }) => ({
    sql,
    answer,
    sent: lines.splice(0, messages.length),
    notices,
    error,
  }));
}

describe.each([14, 15, 16, 17, 18])('beside a stream of major %i', (major) => {
  it('statements are answered and sent on as on a real server', async () => {
    const expected = JSON.parse(readFileSync(`${import.meta.dirname}/live/${major}.json`, 'utf8')) as Outcome[];
    const scenario = requireScenario(readScenario(text, { file: 'live.yaml', serverVersion: String(major) }));
    const server = await createLiveServer({ scenarios: [scenario] });
    const url = await server.listen();
    try {
      const outcomes = await play(`${url}?sslmode=disable`, actions, (step) => void scenario.publish(step));
      expect(comparable(outcomes)).toEqual(comparable(expected));
    } finally {
      await server.close({ grace: 0 });
    }
  });
});
