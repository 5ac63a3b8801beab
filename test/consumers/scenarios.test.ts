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
    // 0: the slot has confirmed the end.
    const status = await server.ended;
    await client.ended;
    expect({ status, changes: consumer.changes(client), errors: client.errors, log: server.errors }).toMatchObject({
      status: 0,
      changes: consumer.view(changes),
    });
  });
});
