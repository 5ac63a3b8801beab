/** Every stream that was captured from real servers, told as a scenario, gives the same payloads at the same positions. */
import { describe, expect, it } from '@jest/globals';
import { createDecoder } from '../../src/pgoutput/index.js';
import { decompile } from '../../src/scenario/decompile/decompile.js';
import { encodeScenario, readScenario, type Scenario } from '../../src/scenario/index.js';
import type { CapturedMessage } from '../../src/timeline/collect.js';
import { formatLsn } from '../../src/values/lsn.js';
import { goldenStreams, goldenWorkloads, type GoldenStream } from '../golden/payloads.js';
import { goldenPositions } from '../golden/positions.js';
import { partOf } from '../corpus/corpus.js';

const stride = 6;

function captureOf({ payloads, streaming }: GoldenStream, positions: readonly bigint[] | null): CapturedMessage[] {
  const decoder = createDecoder({ streaming });
  return payloads.map((payload, i) => ({ message: decoder.decode(payload), lsn: positions?.[i] ?? null }));
}

function scenarioOf(text: string): Scenario {
  const { scenario, problems } = readScenario(text);
  expect(problems).toEqual([]);
  return scenario!;
}

function payloadsOf(scenario: Scenario): string[] {
  return Array.from(encodeScenario(scenario), ({ payload }) => Buffer.from(payload).toString('hex'));
}

describe.each(goldenWorkloads().map((name, turn) => [name, turn] as const))('%s', (workload, turn) => {
  const streams = goldenStreams(workload).map((stream, i) => ({ ...stream, positions: goldenPositions(workload)[i]! }));

  it.each(partOf(streams, stride, turn))('$major $variant, $place', (stream) => {
    const { major, options, protoVersion, streaming, positions, payloads } = stream;
    const isOn = (option: string): boolean => ['on', 'true', '1'].includes(options[option] ?? '');
    const client = { protoVersion, streaming, binary: isOn('binary'), twoPhase: isOn('two_phase') };
    const text = decompile(captureOf(stream, positions), {
      title: workload,
      serverVersion: String(major),
      client: { ...client, messages: isOn('messages'), origin: options['origin'] === 'none' ? 'none' : 'any' },
    });
    const scenario = scenarioOf([...text].join(''));
    expect(scenario.client).toMatchObject({ protoVersion, streaming });
    const sent = Array.from(encodeScenario(scenario), ({ lsn, payload }) => [
      formatLsn(lsn),
      Buffer.from(payload).toString('hex'),
    ]);
    expect(sent).toEqual(payloads.map((payload, i) => [formatLsn(positions[i]!), payload.toString('hex')]));
  });

  // A client's log often has the payloads alone. Truncates of 11 to 13 look different in 14: there the major must be told.
  it.each(partOf(streams, stride, turn + 3))('$major $variant, $place, from payloads alone', (stream) => {
    const { major, payloads } = stream;
    const known = workload === 'stream-truncate' && major < 14 ? { serverVersion: String(major) } : {};
    const text = [...decompile(captureOf(stream, null), { title: workload, ...known })].join('');
    expect(payloadsOf(scenarioOf(text))).toEqual(payloads.map((payload) => payload.toString('hex')));
  });
});
