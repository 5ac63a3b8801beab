/** Unmodified consumers receive every change of every scenario, and confirm its end. */
import { afterAll, describe, expect, it } from '@jest/globals';
import { consumers, removeCompiled } from './consumers.js';
import { scenarios } from './expected.js';
import { serve } from './programs.js';

afterAll(removeCompiled);

describe.each(consumers)('$name', (consumer) => {
  it.each(scenarios)('is told of $name', async ({ name, publication, changes }) => {
    const server = await serve(`scenarios/${name}.yaml`, '--exit-after-end', '--timeout', '60s');
    const client = consumer.start(server.url, publication);
    // One that has confirmed everything is left by the server; one that fails leaves it.
    void client.ended.then(() => server.process.kill());
    await Promise.all([server.ended, client.ended]);
    expect({ changes: consumer.changes(client), client: client.errors, server: server.errors }).toEqual({
      changes: consumer.view(changes),
      client: expect.anything(),
      server: expect.stringMatching(/^slot \w+ confirmed \S+, everything$/m),
    });
  });
});
