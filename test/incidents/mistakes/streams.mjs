// What consumers were seen to make of streamed transactions and of damaged messages.
import { Consumer } from '../sample/consumer.mjs';
import { PgoutputReader, ProtocolError } from '../sample/pgoutput.mjs';
import { Transactions } from '../sample/transactions.mjs';

export const streamMistakes = {
  'takes-any-abort-for-the-whole': {
    fails: ['e1-savepoint-abort-is-not-the-whole'],
    Transactions: class extends Transactions {
      abort({ xid }) {
        this.streamed.set(xid, []);
      }
    },
  },
  'knows-no-aborts': {
    fails: ['e1-savepoint-abort-is-not-the-whole', 'e4-stream-abort-in-its-long-form'],
    Transactions: class extends Transactions {
      abort() {}
    },
  },
  'knows-no-stream-commit': {
    fails: ['e2-streamed-commit-and-abort'],
    Transactions: class extends Transactions {
      add(message) {
        return message.kind === 'streamCommit' ? undefined : super.add(message);
      }
    },
  },
  'expects-xids-by-the-protocol-version': {
    fails: ['e3-xid-only-inside-stream-blocks'],
    Reader: class extends PgoutputReader {
      xid(cursor) {
        return cursor.uint32();
      }
    },
  },
  'expects-short-aborts': {
    fails: ['e4-stream-abort-in-its-long-form'],
    Reader: class extends PgoutputReader {
      A(cursor) {
        return { kind: 'streamAbort', xid: cursor.uint32(), subxid: cursor.uint32() };
      }
    },
  },
  'decodes-strictly': {
    fails: ['m11-bytes-that-are-no-text'],
    Reader: class extends PgoutputReader {
      read(payload) {
        if (payload[0] === 0x49) new TextDecoder('utf-8', { fatal: true }).decode(payload);
        return super.read(payload);
      }
    },
  },
  'dies-of-a-malformed-message': {
    fails: ['p2-counts-and-lengths-that-lie', 'p3-malformed-frames'],
    Consumer: class extends Consumer {
      isWorthAnotherTry(error, failures) {
        return !(error instanceof ProtocolError) && super.isWorthAnotherTry(error, failures);
      }
    },
  },
};
