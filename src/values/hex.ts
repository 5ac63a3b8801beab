/** Bytes as hexadecimal digits, two a byte, lower case. */
export function formatHex(bytes: Uint8Array): string {
  let hex = '';
  for (const byte of bytes) hex += (byte < 16 ? '0' : '') + byte.toString(16);
  return hex;
}

/** @throws SyntaxError for anything but pairs of hexadecimal digits. */
export function parseHex(text: string): Uint8Array {
  if (!/^(?:[0-9A-Fa-f]{2})*$/.test(text))
    throw new SyntaxError(`${JSON.stringify(text)} is not pairs of hexadecimal digits`);
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = parseInt(text.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}
