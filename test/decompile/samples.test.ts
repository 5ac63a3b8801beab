/** How decompiled scenarios read: what these captured streams become, to be looked at when it changes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createDecoder } from '../../src/pgoutput/index.js';
import { decompile } from '../../src/scenario/decompile/decompile.js';
import { goldenStreams } from '../golden/payloads.js';
import { goldenPositions } from '../golden/positions.js';

const samples: readonly (readonly [workload: string, major: number, variant: string])[] = [
  ['pk-basics', 16, 'v1'],
  ['columns-renamed', 17, 'v1'],
  ['stream-subabort-live', 16, 'v4-parallel'],
  ['twophase-commit', 18, 'v3-twophase'],
  ['types-custom', 14, 'v1-binary'],
];

describe('what is printed of', () => {
  it.each(samples)('%s, %i %s', (workload, major, variant) => {
    const streams = goldenStreams(workload);
    const index = streams.findIndex((stream) => stream.major === major && stream.variant === variant);
    const { payloads, streaming, options } = streams[index]!;
    const positions = goldenPositions(workload)[index]!;
    const decoder = createDecoder({ streaming });
    const capture = payloads.map((payload, i) => ({ message: decoder.decode(payload), lsn: positions[i]! }));
    const client = { streaming, protoVersion: Number(options['proto_version']) };
    const text = [...decompile(capture, { title: workload, serverVersion: String(major), client })].join('');
    expect(text).toBe(readFileSync(join(__dirname, 'samples', `${workload}.yaml`), 'utf8'));
  });
});
