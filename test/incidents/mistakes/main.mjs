// node main.mjs MISTAKE: the sample consumer, with this mistake.
import { Consumer } from '../sample/consumer.mjs';
import { PgoutputReader } from '../sample/pgoutput.mjs';
import { Store } from '../sample/store.mjs';
import { Table } from '../sample/table.mjs';
import { Transactions } from '../sample/transactions.mjs';
import { mistakes } from './index.mjs';

const mistake = mistakes[process.argv[2]];
if (!mistake) {
  console.error(`which one? ${Object.keys(mistakes).join(', ')}`);
  process.exit(2);
}

class MistakenStore extends (mistake.Store ?? Store) {
  createTable(...state) {
    return new (mistake.Table ?? Table)(...state);
  }
}

class MistakenConsumer extends (mistake.Consumer ?? Consumer) {
  patience = 3;

  createReader() {
    return new (mistake.Reader ?? PgoutputReader)();
  }

  createTransactions() {
    return mistake.Transactions ? new mistake.Transactions(this.store.prepared) : super.createTransactions();
  }
}

const {
  DATABASE_URL: url,
  STATE_FILE: file,
  SLOT: slot = 'cdc_slot',
  PUBLICATION: publication = 'cdc_pub',
} = process.env;
// If the server has none. Milliseconds.
const timeout = Number(process.env.TIMEOUT ?? 10_000);
const consumer = new MistakenConsumer({ url, slot, publication, timeout, store: new MistakenStore(file) });
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => void consumer.stop());
await consumer.run().catch(() => process.exit(1));
