// node main.mjs: replicates into $STATE_FILE what $PUBLICATION of $DATABASE_URL publishes, through $SLOT, until SIGTERM.
import { Consumer } from './consumer.mjs';
import { Store } from './store.mjs';

const {
  DATABASE_URL: url,
  STATE_FILE: file,
  SLOT: slot = 'cdc_slot',
  PUBLICATION: publication = 'cdc_pub',
} = process.env;
// If the server has none. Milliseconds.
const timeout = Number(process.env.TIMEOUT ?? 10_000);
if (!url || !file) {
  console.error('set DATABASE_URL and STATE_FILE');
  process.exit(2);
}

const consumer = new Consumer({ url, slot, publication, timeout, store: new Store(file) });
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => void consumer.stop());
// Why it gave up was logged.
await consumer.run().catch(() => process.exit(1));
