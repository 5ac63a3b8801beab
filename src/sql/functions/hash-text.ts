/** hashtext(): the server's hash of text (Bob Jenkins' lookup3, as hash_any seeds it), a signed 32-bit number. */

const utf8 = new TextEncoder();

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

export function hashText(text: string): number {
  const bytes = utf8.encode(text);
  let a = (0x9e37_79b9 + bytes.length + 3_923_095) | 0;
  let b = a;
  let c = a;
  const word = (at: number): number => {
    let value = 0;
    for (let i = 3; i >= 0; i--) value = (value << 8) | (bytes[at + i] ?? 0);
    return value;
  };
  let at = 0;
  for (; bytes.length - at >= 12; at += 12) {
    a = (a + word(at)) | 0;
    b = (b + word(at + 4)) | 0;
    c = (c + word(at + 8)) | 0;
    a = (a - c) ^ rotate(c, 4);
    c = (c + b) | 0;
    b = (b - a) ^ rotate(a, 6);
    a = (a + c) | 0;
    c = (c - b) ^ rotate(b, 8);
    b = (b + a) | 0;
    a = (a - c) ^ rotate(c, 16);
    c = (c + b) | 0;
    b = (b - a) ^ rotate(a, 19);
    a = (a + c) | 0;
    c = (c - b) ^ rotate(b, 4);
    b = (b + a) | 0;
  }
  a = (a + word(at)) | 0;
  b = (b + word(at + 4)) | 0;
  // The lowest byte of c is left for the length.
  c = (c + (word(at + 8) << 8)) | 0;
  c = ((c ^ b) - rotate(b, 14)) | 0;
  a = ((a ^ c) - rotate(c, 11)) | 0;
  b = ((b ^ a) - rotate(a, 25)) | 0;
  c = ((c ^ b) - rotate(b, 16)) | 0;
  a = ((a ^ c) - rotate(c, 4)) | 0;
  b = ((b ^ a) - rotate(a, 14)) | 0;
  c = ((c ^ b) - rotate(b, 24)) | 0;
  return c;
}
