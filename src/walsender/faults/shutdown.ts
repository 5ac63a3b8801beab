/** `shutdown`: pg_ctl restart -m fast. `refuse`: a server that does not accept connections yet. */
import type { Fault } from './fault.js';

export const shutdown: Fault<'shutdown'> = ({ downMilliseconds }, { session, stream, database, report }) => {
  report(`fast shutdown, down for ${downMilliseconds} ms at least`);
  session.cluster.shutDownFor(downMilliseconds);
  // What others have read of WAL is written, and goes out as well.
  return stream.inTransaction || stream.position < database.writtenLsn ? 'goOn' : 'over';
};

export const refuse: Fault<'refuse'> = ({ milliseconds }, { session, report }) => {
  report(`refuses connections for ${milliseconds} ms`);
  session.cluster.refuseFor(milliseconds);
  return 'goOn';
};
