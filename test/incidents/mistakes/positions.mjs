// What consumers were seen to confirm, and where they were seen to go on.
import { Consumer } from '../sample/consumer.mjs';
import { formatLsn, parseLsn } from '../sample/lsn.mjs';
import { Store } from '../sample/store.mjs';
import { Transactions } from '../sample/transactions.mjs';

/** Confirms something else than what it should. */
const confirming = (change) =>
  class extends Consumer {
    confirm(options) {
      const before = this.confirmed;
      if (before !== null) this.confirmed = change(before);
      super.confirm(options);
      this.confirmed = before;
    }
  };

class FollowingNoKeepalive extends Consumer {
  receiveKeepalive(keepalive) {
    super.receiveKeepalive({ ...keepalive, walEnd: 0n });
  }
}

const isRow = (payload) => 'IUD'.includes(String.fromCharCode(payload[0]));

export const positionMistakes = {
  'confirms-before-it-stores': {
    fails: ['f1-written-is-not-flushed', 'f2-confirmed-on-receipt'],
    Consumer: class extends Consumer {
      persist() {
        setTimeout(() => super.persist(), 1_000);
      }
    },
  },
  'speaks-only-when-asked': {
    fails: ['f6-steady-traffic-without-requests', 'h2-a-server-without-keepalives'],
    Consumer: class extends Consumer {
      flushSoon() {}
      tick() {}
    },
  },
  'leaves-without-a-last-word': {
    fails: ['f5-short-runs-confirm-at-their-end'],
    Consumer: class extends Consumer {
      flushSoon() {}
      confirm() {}
      async stop() {
        this.store.persist();
        this.stopping.abort();
        this.connection?.fail(new Error('stopped'));
      }
    },
  },
  'never-answers': {
    fails: ['f3-keepalive-before-anything-else', 'h5-replies-in-time'],
    Consumer: class extends Consumer {
      receiveKeepalive() {}
      tick() {}
    },
  },
  'goes-back-with-a-keepalive': {
    fails: ['f4-keepalive-behind-the-slot'],
    Consumer: class extends Consumer {
      receiveKeepalive(keepalive) {
        if (!this.transactions.isInside) this.store.position = keepalive.walEnd;
        super.receiveKeepalive(keepalive);
      }
    },
  },
  'follows-every-keepalive': {
    fails: ['f15-keepalives-while-data-is-unconfirmed', 'f21-keepalive-inside-a-transaction'],
    Consumer: class extends Consumer {
      receiveKeepalive(keepalive) {
        this.store.advance(keepalive.walEnd);
        super.receiveKeepalive(keepalive);
      }
    },
  },
  'follows-no-keepalive': {
    fails: ['g1-nothing-happens-and-the-disk-fills', 'l4-shutdown-waits-for-the-consumer'],
    Consumer: FollowingNoKeepalive,
  },
  'counts-only-transactions-with-rows': {
    fails: ['g3-empty-transactions'],
    Consumer: class extends FollowingNoKeepalive {
      createTransactions() {
        return new (class extends Transactions {
          add(message) {
            const transaction = super.add(message);
            return transaction?.changes.length === 0 ? undefined : transaction;
          }
        })(this.store.prepared);
      }
    },
  },
  'confirms-from-another-server': {
    fails: ['f7-confirmed-beyond-the-server'],
    Consumer: confirming((lsn) => lsn + 0x4000_0000n),
  },
  'adds-one': { fails: ['f8-off-by-one'], Consumer: confirming((lsn) => lsn + 1n) },
  'confirms-half-a-position': {
    fails: ['f9-silence-right-after-the-snapshot'],
    Consumer: confirming((lsn) => lsn & 0xffff_ffffn),
  },
  'drops-the-slash': {
    fails: ['n4-positions-with-leading-zeros'],
    Consumer: confirming((lsn) => BigInt(`0x${formatLsn(lsn).replace('/', '')}`)),
  },
  'counts-in-doubles': {
    fails: ['n5-positions-of-64-bits'],
    Consumer: confirming((lsn) => BigInt(Number(lsn))),
  },
  'asks-in-decimal': {
    fails: ['n3-positions-with-letters'],
    Consumer: class extends Consumer {
      startCommand() {
        const { position } = this.store;
        const decimal = `${(position >> 32n).toString()}/${(position & 0xffff_ffffn).toString(16)}`;
        return super.startCommand().replace(formatLsn(position), decimal);
      }
    },
  },
  'confirms-the-commit-and-not-its-end': {
    fails: ['f14-commit-position-is-not-its-end', 'r2-start-at-zero-on-a-used-slot'],
    Transactions: class extends Transactions {
      add(message) {
        return super.add(message.kind === 'commit' ? { ...message, endLsn: message.commitLsn } : message);
      }
    },
    Consumer: FollowingNoKeepalive,
  },
  'wants-positions-to-rise': {
    fails: ['f10-positions-inside-transactions-overlap'],
    Consumer: class extends Consumer {
      #last = 0n;
      receiveData(frame) {
        if (frame.walStart !== 0n && frame.walStart < this.#last) throw new Error('the position went down');
        this.#last = frame.walStart === 0n ? this.#last : frame.walStart;
        super.receiveData(frame);
      }
    },
  },
  'skips-rows-by-their-position': {
    fails: ['e5-resume-in-an-overlap', 'f11-checkpoint-between-overlapping-transactions'],
    Consumer: class extends Consumer {
      async follow() {
        this.resumedAt = this.store.position;
        await super.follow();
      }
      receiveData(frame) {
        if (!isRow(frame.payload) || frame.walStart > this.resumedAt) super.receiveData(frame);
      }
    },
  },
  'counts-rows-of-open-transactions': {
    fails: [
      'f13-first-insert-after-a-restart',
      'f17-cut-behind-a-savepoint',
      'f20-cut-anywhere',
      'l2-terminated-by-an-administrator',
    ],
    Consumer: class extends Consumer {
      async follow() {
        this.last = this.store.position;
        this.resumedAt = this.last;
        await super.follow();
      }
      async session() {
        const error = await super.session();
        this.store.advance(this.last);
        return error;
      }
      receiveData(frame) {
        if (isRow(frame.payload) && frame.walStart <= this.resumedAt) return;
        if (frame.walStart > this.last) this.last = frame.walStart;
        super.receiveData(frame);
      }
    },
  },
  'trusts-the-slot-alone': {
    fails: ['f19-slot-made-anew-at-an-older-point', 'j6-failover'],
    Store: class extends Store {
      apply(transaction) {
        this.applied = 0n;
        super.apply(transaction);
      }
    },
    Consumer: class extends Consumer {
      startCommand() {
        return super.startCommand().replace(formatLsn(this.store.position), '0/0');
      }
    },
  },
  'jumps-with-the-slot': {
    fails: ['j3-slot-moved-on-by-somebody-else'],
    Consumer: class extends Consumer {
      gap(systemId, slot) {
        return super.gap(systemId, slot && { ...slot, position: 0n });
      }
    },
  },
  'compares-with-an-earlier-position': {
    fails: ['q2-position-read-before-the-slot'],
    Consumer: class extends Consumer {
      async findPosition() {
        const [before] = await this.connection.query('SELECT pg_current_wal_lsn()');
        await super.findPosition();
        if (this.store.position > parseLsn(before.pg_current_wal_lsn)) throw new Error('the slot is ahead');
      }
    },
  },
  'makes-no-copy': {
    fails: ['q1-copy-and-stream-meet', 'b1-key-change-of-a-copied-row'],
    Store: class extends Store {
      replace(systemId, position) {
        super.replace(systemId, position, new Map());
      }
    },
  },
};
