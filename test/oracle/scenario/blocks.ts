/**
 * Which transactions a client saw in blocks, and where the blocks ended: the one thing that is read from a captured
 * stream, for it follows from the server's memory and not from what happened. Only Stream Start and Stop, and the ends of
 * transactions between them, are looked at.
 */
import type { Frame } from '../client/capture.js';

export interface Block {
  readonly xid: number;
  /** Headers of Stream Start and Stream Stop. Those of an Origin, where one follows Stream Start. */
  readonly firstLsn: bigint;
  readonly lastLsn: bigint;
  /** WAL had been decoded at least so far. */
  readonly position: bigint;
  /** What comes next is the end of this transaction. */
  readonly atEnd: boolean;
  /** How many changes with the position of Stream Stop the block shows. */
  readonly atLast: number;
}

const [streamStart, streamStop, origin] = ['S', 'E', 'O'];
const changes = ['I', 'U', 'D', 'T', 'M'];
const ends = ['C', 'c', 'P', 'p', 'K', 'r', 'M', 'A'];
const streamEnds = ['c', 'p'];

export function findBlocks(frames: readonly Frame[]): Block[] {
  const blocks: Block[] = [];
  let position = 0n;
  let open: { xid: number; firstLsn: bigint; positions: bigint[] } | undefined;
  frames.forEach(({ walStart, payload }, index) => {
    const kind = kindOf(payload);
    if (kind === streamStart) open = { xid: payload.readUInt32BE(1), firstLsn: walStart, positions: [] };
    else if (open && changes.includes(kind)) open.positions.push(walStart);
    else if (kind === origin && open) open.firstLsn = walStart;
    else if (kind === streamStop && open) {
      if (walStart > position) position = walStart;
      const next = frames[index + 1]?.payload;
      const atEnd = next !== undefined && streamEnds.includes(kindOf(next)) && endedXid(next) === open.xid;
      const { xid, firstLsn, positions } = open;
      const atLast = positions.filter((lsn) => lsn === walStart).length;
      blocks.push({ xid, firstLsn, lastLsn: walStart, position, atEnd, atLast });
      open = undefined;
    } else if (!open && ends.includes(kind) && walStart > position) position = walStart;
  });
  return blocks;
}

function kindOf(payload: Buffer): string {
  return String.fromCharCode(payload[0]!);
}

/** Stream Commit has its xid first, Stream Prepare after flags, two LSNs and a time. */
function endedXid(payload: Buffer): number {
  return payload.readUInt32BE(kindOf(payload) === 'c' ? 1 : 26);
}
