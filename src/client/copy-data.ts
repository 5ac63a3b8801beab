/** What stands inside CopyData while replicating (manual: "Streaming Replication Protocol"). */
import { ConnectionError } from './connection-error.js';

export interface XLogData {
  readonly kind: 'data';
  readonly walStart: bigint;
  readonly walEnd: bigint;
  /** Microseconds since 2000. */
  readonly sendTime: bigint;
  /** What the output plugin wrote. */
  readonly payload: Buffer;
}

export interface Keepalive {
  readonly kind: 'keepalive';
  readonly walEnd: bigint;
  readonly sendTime: bigint;
  readonly replyRequested: boolean;
}

export type ReplicationMessage = XLogData | Keepalive;

/** @throws ConnectionError for anything else than XLogData and primary keepalive. */
export function readReplicationMessage(chunk: Buffer): ReplicationMessage {
  const type = chunk[0];
  if (type === 0x77 && chunk.length >= 25) {
    return {
      kind: 'data',
      walStart: chunk.readBigUInt64BE(1),
      walEnd: chunk.readBigUInt64BE(9),
      sendTime: chunk.readBigInt64BE(17),
      payload: chunk.subarray(25),
    };
  }
  if (type === 0x6b && chunk.length === 18) {
    return {
      kind: 'keepalive',
      walEnd: chunk.readBigUInt64BE(1),
      sendTime: chunk.readBigInt64BE(9),
      replyRequested: chunk[17] !== 0,
    };
  }
  throw new ConnectionError(
    `neither XLogData nor a keepalive: ${chunk.length} bytes that start with ${chunk.toString('hex', 0, 16)}`,
  );
}

/** Standby status update. `time`: microseconds since 2000. */
export function standbyStatusUpdate(writeLsn: bigint, flushLsn: bigint, applyLsn: bigint, time: bigint): Buffer {
  const message = Buffer.alloc(34);
  message[0] = 0x72;
  message.writeBigUInt64BE(writeLsn, 1);
  message.writeBigUInt64BE(flushLsn, 9);
  message.writeBigUInt64BE(applyLsn, 17);
  message.writeBigInt64BE(time, 25);
  return message;
}
