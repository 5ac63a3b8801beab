/** What stands before each payload in its CopyData message (manual, "Streaming Replication Protocol": XLogData). */
import { Writer } from '../bytes/writer.js';
import type { ExplainedField } from '../pgoutput/explain.js';
import { formatLsn } from '../values/lsn.js';
import { formatTimestamp } from '../values/timestamp.js';

/** In bytes. */
export const headerLength = 25;

/** @param time - microseconds since 2000 */
export function xlogDataHeader(lsn: bigint, time: bigint): { bytes: Uint8Array; fields: readonly ExplainedField[] } {
  const writer = new Writer(headerLength);
  writer.uint8(0x77); // w
  writer.int64(lsn);
  writer.int64(lsn);
  writer.int64(time);
  const position = formatLsn(lsn);
  return {
    bytes: writer.copy(),
    fields: [
      { offset: 0, length: 1, path: 'header.type', value: 'w', meaning: 'XLogData' },
      { offset: 1, length: 8, path: 'header.walStart', value: position, meaning: 'where its data starts in WAL' },
      { offset: 9, length: 8, path: 'header.walEnd', value: position, meaning: 'for logical replication the same' },
      { offset: 17, length: 8, path: 'header.sendTime', value: formatTimestamp(time), meaning: 'when it was sent' },
    ],
  };
}
