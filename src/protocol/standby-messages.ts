/** What a client sends inside CopyData while it receives a stream (manual: "Streaming Replication Protocol"). */
import { BodyReader } from './frontend-messages.js';

export interface StandbyStatusUpdate {
  readonly kind: 'statusUpdate';
  readonly writeLsn: bigint;
  readonly flushLsn: bigint;
  readonly applyLsn: bigint;
  /** The client's clock, microseconds since 2000. */
  readonly time: bigint;
  readonly replyRequested: boolean;
}

export interface HotStandbyFeedback {
  readonly kind: 'hotStandbyFeedback';
  readonly xmin: number;
  readonly catalogXmin: number;
}

export type StandbyMessage =
  | StandbyStatusUpdate
  | HotStandbyFeedback
  /** 19 and later. */
  | { readonly kind: 'primaryStatusRequest' }
  /** A real walsender closes the connection without a word. */
  | { readonly kind: 'unknown'; readonly type: number };

/** Bytes after what is read are ignored, as the server does. @throws WireError 08P01 when there are too few. */
export function readStandbyMessage(body: Uint8Array, major: number): StandbyMessage {
  const reader = new BodyReader(body);
  const type = reader.uint8();
  switch (type) {
    case 0x72:
      return {
        kind: 'statusUpdate',
        writeLsn: reader.int64(),
        flushLsn: reader.int64(),
        applyLsn: reader.int64(),
        time: BigInt.asIntN(64, reader.int64()),
        replyRequested: reader.uint8() !== 0,
      };
    case 0x68: {
      reader.int64();
      const xmin = reader.int32() >>> 0;
      reader.int32();
      const catalogXmin = reader.int32() >>> 0;
      reader.int32();
      return { kind: 'hotStandbyFeedback', xmin, catalogXmin };
    }
    case 0x70:
      if (major >= 19) {
        reader.int64();
        return { kind: 'primaryStatusRequest' };
      }
      break;
  }
  return { kind: 'unknown', type };
}
