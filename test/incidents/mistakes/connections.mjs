// What consumers were seen to do about connections, slots and errors.
import { setTimeout as delay } from 'node:timers/promises';
import { Consumer } from '../sample/consumer.mjs';
import { parseLsn } from '../sample/lsn.mjs';

/** Dies of errors with these codes, or of these. */
const fatal = (isFatal) =>
  class extends Consumer {
    isWorthAnotherTry(error, failures) {
      return !isFatal(error) && super.isWorthAnotherTry(error, failures);
    }
  };

/** Takes a silence of so many milliseconds for the end, and never asks. */
const impatient = (milliseconds) =>
  class extends Consumer {
    tick() {
      const silence = performance.now() - this.connection.lastReceived;
      if (silence > milliseconds) this.connection.fail(new Error('nothing was received'));
      else this.confirm();
    }
  };

export const connectionMistakes = {
  'never-connects-again': {
    fails: ['h8-closed-when-idle', 'f20-cut-anywhere', 'l2-terminated-by-an-administrator'],
    Consumer: fatal(() => true),
  },
  'connects-again-at-once': {
    fails: ['j6-failover'],
    Consumer: class extends Consumer {
      isWorthAnotherTry() {
        return true;
      }
      backoff() {
        return 0;
      }
    },
  },
  'takes-a-busy-slot-for-the-end': { fails: ['i1-slot-is-active'], Consumer: fatal(({ code }) => code === '55006') },
  'takes-copy-done-for-a-pause': {
    fails: ['l1-copy-done-is-the-end'],
    Consumer: class extends Consumer {
      async follow() {
        await super.follow();
        await delay(60_000);
      }
    },
  },
  'never-gives-a-connection-up': {
    fails: ['h3-quiet-for-good'],
    Consumer: class extends Consumer {
      tick() {
        this.confirm();
      }
    },
  },
  'restarts-when-idle': { fails: ['g2-idle-and-still-alive'], Consumer: impatient(1_500) },
  'times-reads-out': { fails: ['h6-pause-inside-a-frame'], Consumer: impatient(500) },
  'times-the-stream-out': {
    fails: ['h7-no-timeout-over-the-stream'],
    Consumer: class extends Consumer {
      async follow() {
        const timer = setTimeout(() => this.connection.fail(new Error('statement timeout')), 3_000);
        await super.follow().finally(() => clearTimeout(timer));
      }
    },
  },
  'is-silent-inside-transactions': {
    fails: ['h1-slow-transaction-and-the-timeout'],
    Consumer: class extends Consumer {
      confirm(options) {
        if (!this.transactions.isInside) super.confirm(options);
      }
    },
  },
  'leaves-with-copy-fail': {
    fails: ['d8-leave-with-copy-done', 'l5-leaving-in-the-middle-of-a-transaction'],
    Consumer: class extends Consumer {
      async stop() {
        this.stopping.abort();
        this.flush();
        this.connection.client.connection.sendCopyFail('stopped');
        await delay(100);
        this.connection.destroy();
      }
    },
  },
  'hides-what-the-server-says': {
    fails: ['i3-publication-made-after-the-slot', 'i3-publication-missing-from-18-on', 'l3-error-inside-the-stream'],
    Consumer: class extends Consumer {
      constructor(options) {
        super({ ...options, log: () => console.error('unexpected message type') });
      }
    },
  },
  'asks-for-all-there-is': {
    fails: ['i4-options-that-an-old-server-refuses'],
    Consumer: class extends Consumer {
      options() {
        return `publication_names '"${this.publication}"', proto_version '4', streaming 'parallel', messages 'true'`;
      }
    },
  },
  'sends-parameters': {
    fails: ['i5-extended-protocol-is-refused'],
    Consumer: class extends Consumer {
      async findPosition() {
        const query = { text: 'SELECT 1 WHERE $1::bool', values: [true] };
        await this.connection.client.query(query).catch(() => {});
        await super.findPosition();
      }
    },
  },
  'cannot-find-its-slot': {
    fails: ['i7-slot-already-exists'],
    Consumer: class extends fatal(({ code }) => code === '42710') {
      async findPosition() {
        const slots = await this.connection.query('SELECT slot_name FROM pg_replication_slots');
        if (slots.length === 0) await this.connection.query(`CREATE_REPLICATION_SLOT ${this.slot} LOGICAL pgoutput`);
        await super.findPosition();
      }
    },
  },
  'expects-a-position-in-the-view': {
    fails: ['i8-null-positions-in-the-slot-view'],
    Consumer: class extends fatal((error) => error instanceof RangeError) {
      async findPosition() {
        const slots = await this.connection.query('SELECT restart_lsn FROM pg_replication_slots');
        for (const { restart_lsn } of slots) parseLsn(restart_lsn);
        await super.findPosition();
      }
    },
  },
  'names-its-slot-after-the-database': {
    fails: ['i9-slot-name-of-a-database-name'],
    Consumer: class extends Consumer {
      constructor(options) {
        super({ ...options, slot: new URL(options.url).pathname.slice(1) });
      }
    },
  },
  'keeps-asking-for-a-lost-slot': {
    fails: ['j1-slot-invalidated', 'j2-slot-dropped-while-running', 'j5-slot-gone-after-idle-time'],
    Consumer: class extends Consumer {
      gap(systemId, slot) {
        return this.store.position === null ? super.gap(systemId, slot) : undefined;
      }
    },
  },
  'has-a-temporary-slot': {
    fails: ['j4-temporary-slot-is-gone'],
    Consumer: class extends Consumer {
      async findPosition() {
        if (this.store.position === null) {
          await this.connection.query(`CREATE_REPLICATION_SLOT ${this.slot} TEMPORARY LOGICAL pgoutput`);
        }
        await super.findPosition();
      }
      gap() {
        return undefined;
      }
    },
  },
  'never-encrypts': {
    fails: ['k1-tls-or-nothing', 'k3-scram-over-tls'],
    Consumer: class extends Consumer {
      constructor(options) {
        super({ ...options, url: `${options.url}?sslmode=disable` });
      }
    },
  },
  'takes-the-strongest-mechanism': {
    fails: ['k2-channel-binding-without-tls'],
    Consumer: class extends Consumer {
      connect() {
        return super.connect({ enableChannelBinding: true });
      }
    },
  },
  'takes-settings-as-they-are': {
    fails: ['m9-texts-follow-settings'],
    Consumer: class extends Consumer {
      connect() {
        return super.connect({ options: '' });
      }
    },
  },
  "relies-on-the-server's-timeout": {
    fails: ['i2-finite-timeout-for-a-dead-connection'],
    Consumer: class extends Consumer {
      async agreeOnTimeout() {
        this.timeout = 2_000;
      }
    },
  },
  'needs-the-time': {
    fails: ['m10-clocks-that-cannot-be-trusted'],
    Consumer: class extends Consumer {
      receiveKeepalive(keepalive) {
        if (keepalive.time <= 0n) throw new RangeError('a keepalive without a time');
        super.receiveKeepalive(keepalive);
      }
    },
  },
};
