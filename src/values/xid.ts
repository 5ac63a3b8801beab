/** Transaction ids: unsigned 32-bit numbers that wrap around. 0 to 2 are reserved, so after 4294967295 comes 3. */

export const firstNormalXid = 3;

const normalXids = 0x1_0000_0000 - firstNormalXid;

/** The normal xid assigned `count` (0 or more) transactions after the normal xid `xid`. */
export function advanceXid(xid: number, count = 1): number {
  return firstNormalXid + ((xid - firstNormalXid + count) % normalXids);
}
