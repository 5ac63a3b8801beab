// What consumers were seen to make of Relations, and of kinds of messages that they did not expect.
import pg from 'pg';
import { Consumer } from '../sample/consumer.mjs';
import { PgoutputReader } from '../sample/pgoutput.mjs';
import { Store } from '../sample/store.mjs';
import { Table } from '../sample/table.mjs';
import { Transactions } from '../sample/transactions.mjs';

export const schemaMistakes = {
  'knows-only-the-first-columns': {
    fails: ['c1-column-added-before-the-first-row'],
    Table: class extends Table {
      reshape(names) {
        if (this.columns.length === 0) super.reshape(names);
      }
      put(row, tuple) {
        super.put(row, tuple);
        for (const name of Object.keys(row)) if (!this.columns.includes(name)) delete row[name];
      }
    },
  },
  'takes-flags-for-the-primary-key': {
    fails: ['c2-full-flags-every-column'],
    Table: class extends Table {
      update({ newTuple, old, relation }) {
        const isFull = relation.replicaIdentity === 'f';
        super.update({ newTuple, old: isFull ? { marker: 'O', tuple: newTuple } : old });
      }
    },
  },
  'keeps-the-first-relation': {
    fails: ['c3-schema-changes-between-rows'],
    Transactions: class extends Transactions {
      add(message) {
        if (message.kind === 'relation' && this.relations.has(message.relation.oid)) return undefined;
        return super.add(message);
      }
    },
  },
  'stops-everything-for-one-table': {
    fails: ['c4-one-table-of-three-changes'],
    Table: class extends Table {
      reshape(names) {
        if (this.columns.length > 0) throw new Error(`the columns of ${this.name} have changed`);
        super.reshape(names);
      }
    },
  },
  'expects-a-relation-each-time': {
    fails: ['c5-relation-once-per-connection'],
    Transactions: class extends Transactions {
      add(message) {
        if (message.kind === 'begin') this.relations.clear();
        return super.add(message);
      }
    },
  },
  'asks-the-catalog-for-each-relation': {
    fails: ['c6-many-tables-in-one-transaction'],
    Consumer: class extends Consumer {
      #other;
      #asking = 0;
      async findPosition() {
        await super.findPosition();
        this.#other ??= new pg.Client({ connectionString: this.url });
        await this.#other.connect();
      }
      receiveData(frame) {
        super.receiveData(frame);
        if (frame.payload[0] !== 0x52) return;
        const oid = frame.payload.readUInt32BE(1);
        this.#asking++;
        const asked = this.#other.query(`SELECT attname FROM pg_attribute WHERE attrelid = ${oid}`);
        void asked.finally(() => this.#asking--).catch(() => {});
      }
      confirm(options) {
        if (this.#asking === 0) super.confirm(options);
      }
      async stop() {
        await super.stop();
        await this.#other?.end();
      }
    },
  },
  'expects-the-columns-of-the-catalog': {
    fails: ['o1-publication-with-a-column-list', 'o2-generated-column-is-missing'],
    Consumer: class extends Consumer {
      async findPosition() {
        await super.findPosition();
        const columns = 'SELECT c.relname, a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid';
        this.columns = await this.connection.query(`${columns} WHERE a.attnum > 0 AND NOT a.attisdropped`);
      }
      createTransactions() {
        const { columns } = this;
        return new (class extends Transactions {
          add(message) {
            const { relation } = message;
            const known = columns.filter(({ relname }) => relname === relation?.name);
            if (relation && known.length !== relation.columns.length) throw new RangeError('index out of bounds');
            return super.add(message);
          }
        })(this.store.prepared);
      }
    },
  },
  'drops-generated-columns': {
    fails: ['i10-every-column-looks-generated'],
    Consumer: class extends Consumer {
      async findPosition() {
        await super.findPosition();
        const columns = await this.connection.query('SELECT attname, attgenerated FROM pg_attribute WHERE attnum > 0');
        this.store.generated = columns.filter(({ attgenerated }) => attgenerated !== '').map(({ attname }) => attname);
      }
    },
    Store: class extends Store {
      apply({ changes, endLsn }) {
        const isKept = ({ name }) => !this.generated.includes(name);
        const without = ({ relation, newTuple, ...change }) => ({
          ...change,
          relation: { ...relation, columns: relation.columns.filter(isKept) },
          newTuple: newTuple?.filter((_, index) => isKept(relation.columns[index])),
        });
        super.apply({ changes: changes.map(without), endLsn });
      }
    },
  },
  'knows-no-partitions': {
    fails: ['o3-partitions-under-their-own-names'],
    Store: class extends Store {
      apply({ changes, endLsn }) {
        super.apply({ changes: changes.filter(({ relation }) => !/_\d+$/.test(relation?.name ?? '')), endLsn });
      }
    },
  },
  'knows-only-rows': {
    fails: ['d1-truncate-type-and-origin', 'd4-columns-of-user-defined-types'],
    Reader: class extends PgoutputReader {
      read(payload) {
        const kind = String.fromCharCode(payload[0]);
        if ('YTO'.includes(kind)) throw new Error(`unknown message ${kind}`);
        return super.read(payload);
      }
    },
  },
  'nulls-for-types-it-does-not-know': {
    fails: ['d4-columns-of-user-defined-types', 'm8-arrays-and-domains-of-user-types'],
    Table: class extends Table {
      describe(relation) {
        super.describe(relation);
        this.relation = relation;
      }
      put(row, tuple) {
        const isKnown = (index) => this.relation.columns[index].typeOid < 16_384;
        super.put(
          row,
          tuple.map((cell, index) => (isKnown(index) ? cell : null)),
        );
      }
    },
  },
  'expects-messages-inside-transactions': {
    fails: ['d5-message-outside-a-transaction', 'd6-heartbeat-messages-after-a-restart'],
    Transactions: class extends Transactions {
      add(message) {
        if (message.kind === 'message' && !this.isInside) throw new Error('a message outside a transaction');
        return super.add(message);
      }
    },
  },
  'leaves-content-unread': {
    fails: ['d7-message-longer-than-one-read'],
    Reader: class extends PgoutputReader {
      M(cursor) {
        this.xid(cursor);
        const transactional = (cursor.byte() & 1) === 1;
        return { kind: 'message', transactional, lsn: cursor.uint64(), prefix: cursor.text() };
      }
    },
  },
  'reads-oids-as-signed': {
    fails: ['n1-oids-above-2-to-the-31'],
    Transactions: class extends Transactions {
      add(message) {
        if ((message.relation?.oid | 0) < 0) throw new RangeError(`relation ${message.relation.oid | 0}`);
        return super.add(message);
      }
    },
  },
  'folds-names': {
    fails: ['i6-names-with-capitals'],
    Store: class extends Store {
      table({ namespace, name, ...relation }) {
        return super.table({ ...relation, namespace: namespace.toLowerCase(), name: name.toLowerCase() });
      }
    },
  },
};
