/** Log sequence numbers: byte positions in WAL, unsigned 64-bit bigints. */

export const maxLsn = 0xffff_ffff_ffff_ffffn;

/**
 * Reads `X/X`: the upper and the lower half in hexadecimal, one to eight digits each, as pg_lsn's input function does.
 * @throws SyntaxError for anything else.
 */
export function parseLsn(text: string): bigint {
  const halves = /^([0-9A-Fa-f]{1,8})\/([0-9A-Fa-f]{1,8})$/.exec(text);
  if (halves === null) {
    throw new SyntaxError(
      `${JSON.stringify(text)} is not an LSN: expected X/X, two halves of 1 to 8 hexadecimal digits`,
    );
  }
  return (BigInt(`0x${halves[1]!}`) << 32n) | BigInt(`0x${halves[2]!}`);
}

/**
 * `%X/%X`; servers of major 19 and later pad the lower half to eight digits in what they print.
 * @param major the server whose way of printing it is; without one, unpadded.
 */
export function formatLsn(lsn: bigint, major = 0): string {
  const upper = (lsn >> 32n).toString(16);
  const lower = (lsn & 0xffff_ffffn).toString(16);
  return `${upper}/${major >= 19 ? lower.padStart(8, '0') : lower}`.toUpperCase();
}
