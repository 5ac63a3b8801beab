/** Whether `value` is an unsigned 32-bit integer, the range of xids and OIDs. */
export function isUint32(value: unknown): value is number {
  return typeof value === 'number' && value >>> 0 === value;
}
