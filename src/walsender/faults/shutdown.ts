/** `shutdown`: pg_ctl restart -m fast. */
import type { Fault } from './fault.js';

export const shutdown: Fault<'shutdown'> = ({ downMilliseconds }, { session, stream, database, report }) => {
  report(`fast shutdown, down for ${downMilliseconds} ms at least`);
  session.cluster.shutDownFor(downMilliseconds);
  // What others have read of WAL is written, and goes out as well.
  return stream.inTransaction || stream.position < database.writtenLsn ? 'goOn' : 'over';
};
