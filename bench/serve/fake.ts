/**
 * The fake server of the race, in a process of its own. Arguments: rows in all, rows in a transaction, bytes in a row, and
 * whether the rows are there beforehand (`kept`) or made while they are sent.
 */
import { createLiveServer } from '../../src/live/index.js';
import { readScenario, requireScenario } from '../../src/scenario/index.js';
import { formatLsn } from '../../src/values/lsn.js';

const [count, perTransaction, size] = process.argv.slice(2).map(Number) as [number, number, number];
const kept = process.argv[5] === 'kept';
const scenario = requireScenario(
  readScenario(`
scenario: A race
server: { version: 17 }
tables:
  t: { columns: { id: bigint, payload: text } }
publications: { pub: { tables: [t] } }
stream:
  - repeat: ${count / perTransaction}
    track: ${kept}
    steps:
      - transaction:
          changes:
            - repeat: ${perTransaction}
              track: ${kept}
              changes: [{ insert: t, row: { id: '{{index}}', payload: ${'x'.repeat(size - 8)} } }]
`),
);
const server = await createLiveServer({ scenarios: [scenario], observeMessages: false, keepHistory: false });
process.stdout.write(`${await server.listen()}?sslmode=disable ${formatLsn(scenario.database.lsn)}\n`);
process.on('disconnect', () => process.exit());
