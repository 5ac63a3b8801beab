// What consumers were seen to do to rows.
import { isUnchanged } from '../sample/pgoutput.mjs';
import { Store } from '../sample/store.mjs';
import { Table } from '../sample/table.mjs';
import { Transactions } from '../sample/transactions.mjs';

const replacing = (value) =>
  class extends Table {
    put(row, tuple) {
      super.put(
        row,
        tuple.map((cell) => (isUnchanged(cell) ? value : cell)),
      );
    }
  };

export const rowMistakes = {
  'unchanged-is-null': {
    fails: ['a1-unchanged-toast-under-full', 'a3-unchanged-becomes-null', 'a4-unchanged-along-a-chain-of-keys'],
    Table: replacing(null),
  },
  'unchanged-is-empty': { fails: ['a2-unchanged-is-not-empty-text'], Table: replacing('') },
  'needs-an-old-row': {
    fails: ['a5-update-without-an-old-row'],
    Table: class extends Table {
      update({ old, ...change }) {
        super.update({ ...change, old: { marker: old.marker, tuple: old.tuple } });
      }
    },
  },
  'upserts-by-the-new-key': {
    fails: ['b1-key-change-leaves-the-old-row', 'b1-key-change-of-a-copied-row'],
    Table: class extends Table {
      update({ old, ...change }) {
        super.update(change);
      }
    },
  },
  'drops-what-has-no-key': {
    fails: ['b2-table-without-a-primary-key'],
    Table: class extends Table {
      insert(change) {
        if (change.relation.replicaIdentity !== 'f') super.insert(change);
      }
    },
  },
  'takes-nulls-of-a-key-for-values': {
    fails: ['b3-delete-knows-only-the-identity', 'o3-partitions-under-the-root'],
    Table: class extends Table {
      delete({ old }) {
        super.delete({ old: { marker: 'O', tuple: old.tuple } });
      }
    },
  },
  'needs-every-row': {
    fails: ['f18-slot-ahead-of-what-is-asked-for'],
    Table: class extends Table {
      delete({ old }) {
        if (!this.find(old)) throw new Error('the row is not there');
        super.delete({ old });
      }
    },
  },
  'ignores-truncate': {
    fails: ['d2-truncate-does-not-stop-the-pipeline'],
    Table: class extends Table {
      truncate() {}
    },
  },
  'truncates-only-the-first-table': {
    fails: ['d3-truncate-of-several-tables'],
    Store: class extends Store {
      apply({ changes, endLsn }) {
        const one = (change) => (change.relations ? { ...change, relations: change.relations.slice(0, 1) } : change);
        super.apply({ changes: changes.map(one), endLsn });
      }
    },
  },
  'one-row-per-position': {
    fails: ['f12-several-messages-at-one-position', 'f23-many-rows-in-one-transaction'],
    Store: class extends Store {
      apply({ changes, endLsn }) {
        super.apply({ changes: changes.slice(0, 1), endLsn });
      }
    },
  },
  'applies-what-comes-again': {
    fails: ['f16-resent-from-before'],
    Store: class extends Store {
      apply(transaction) {
        this.applied = 0n;
        super.apply(transaction);
      }
    },
  },
  'keeps-10000-rows-at-most': {
    fails: ['p1-one-large-transaction'],
    Transactions: class extends Transactions {
      #count = 0;
      completed(change) {
        if (++this.#count > 10_000) throw new RangeError('out of memory');
        return super.completed(change);
      }
    },
  },
  'buffers-of-64-kB': {
    fails: ['r1-values-around-buffer-sizes'],
    Table: class extends Table {
      put(row, tuple) {
        super.put(
          row,
          tuple.map((cell) => (typeof cell === 'string' ? cell.slice(0, 65_535) : cell)),
        );
      }
    },
  },
  'blocks-while-it-delivers': {
    fails: ['h9-more-than-the-queue-holds'],
    Store: class extends Store {
      apply(transaction) {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000);
        super.apply(transaction);
      }
    },
  },
};
