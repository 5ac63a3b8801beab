// Positions in WAL: unsigned 64 bits, written as two hexadecimal halves of 32 bits without leading zeros.

export function parseLsn(text) {
  const halves = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text);
  if (!halves) throw new RangeError(`not an LSN: ${text}`);
  return (BigInt(`0x${halves[1]}`) << 32n) | BigInt(`0x${halves[2]}`);
}

export function formatLsn(lsn) {
  return `${(lsn >> 32n).toString(16)}/${(lsn & 0xffffffffn).toString(16)}`.toUpperCase();
}
