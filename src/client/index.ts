/** A small replication client, for any PostgreSQL server. */
export { Connection, DatabaseError, type ConnectionOptions, type QueryResult } from './connection.js';
export { ConnectionError } from './connection-error.js';
export type { Keepalive, ReplicationMessage, XLogData } from './copy-data.js';
export { createSlot, quoteIdentifier, ReplicationStream } from './replication.js';
export { Upstream } from './upstream.js';
export { parseTarget, type SslMode, type Target } from './target.js';
