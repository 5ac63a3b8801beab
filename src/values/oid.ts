/** Object ids: unsigned 32-bit numbers. 0 is no object. */

/** The lowest OID the server assigns by itself; below it they are written into the source (FirstGenbkiObjectId). */
export const firstGeneratedOid = 10000;

/** The lowest OID that can belong to an object a user made (FirstNormalObjectId); the counter wraps around to it. */
export const firstNormalOid = 16384;

/** The OID the server's counter gives after `oid`. */
export function nextOid(oid: number): number {
  return oid >= 0xffff_ffff ? firstNormalOid : oid + 1;
}
