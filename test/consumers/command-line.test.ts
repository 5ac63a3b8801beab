/** What only the built program in a process of its own can show. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { serve, start, temporaryFile } from './programs.js';

const program = 'dist/cli/main.js';

describe('the program', () => {
  it('ends quietly when nobody reads on', async () => {
    const endless = temporaryFile(
      'endless.yaml',
      `
scenario: More than anybody reads
tables: { t: { columns: { id: int primary key } } }
stream:
  - repeat: 10000000
    changes: [{ insert: t, row: { id: '{{index}}' } }]
`,
    );
    const encode = start(process.execPath, ['--max-old-space-size=64', program, 'encode', endless]);
    await once(encode.process.stdout!, 'data');
    encode.process.stdout!.destroy();
    expect({ status: await encode.ended, errors: encode.errors }).toEqual({ status: 0, errors: '' });
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('shuts down at %s', async (signal) => {
    const server = await serve('scenarios/key-change.yaml');
    server.process.kill(signal);
    expect(await server.ended).toBe(0);
    expect(server.output.toString()).toBe(`listening ${server.url.href}\n`);
  });

  it('has written the schema that it prints into the package', () => {
    const printed = execFileSync(process.execPath, [program, 'schema'], { encoding: 'utf8', maxBuffer: 1 << 24 });
    expect(JSON.parse(readFileSync('dist/scenario.schema.json', 'utf8'))).toEqual(JSON.parse(printed));
  });
});
