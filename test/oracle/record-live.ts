/** Records test/golden/live: what real servers answer and send for statements beside a stream. Arguments: majors, then a folder for servers. */
import { writeFileSync } from 'node:fs';
import { play } from '../golden/live/play.js';
import { actions, setUp } from '../golden/live/statements.js';
import { installServer } from './server/binaries.js';
import { Cluster } from './server/cluster.js';

const [, , majors = '14,18', servers = 'test/oracle/.servers', folder = 'test/golden/live'] = process.argv;

for (const major of majors.split(',').map(Number)) {
  const cluster = await Cluster.start(major, installServer(major, servers));
  try {
    const connection = await cluster.connect('postgres');
    for (const sql of setUp) await connection.query(sql);
    connection.end();
    const outcomes = await play(`postgres://postgres@127.0.0.1:${cluster.port}/postgres?sslmode=disable`, actions);
    writeFileSync(`${folder}/${major}.json`, `${JSON.stringify(outcomes, null, 1)}\n`);
  } finally {
    await cluster.stop();
  }
}
