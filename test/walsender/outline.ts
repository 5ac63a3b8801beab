/**
 * What a server sent, in the readable form of test/golden/walsender: one array per message, its type byte first. Keepalives and
 * XLogData are `k` and `w`. Written from the manual's message formats, not with the program's own code.
 */
export type Outline = readonly unknown[];

export function outlineOf(bytes: Buffer): Outline[] {
  if (bytes.length === 1) return [['byte', bytes.toString()]];
  const outlines: Outline[] = [];
  let position = 0;
  while (position < bytes.length) {
    const length = position + 5 <= bytes.length ? bytes.readInt32BE(position + 1) : Infinity;
    if (position + 1 + length > bytes.length) {
      outlines.push(['text', bytes.toString('utf8', position)]);
      break;
    }
    outlines.push(
      messageOutline(String.fromCharCode(bytes[position]!), bytes.subarray(position + 5, position + 1 + length)),
    );
    position += 1 + length;
  }
  return outlines;
}

function messageOutline(type: string, body: Buffer): Outline {
  let position = 0;
  const int = (size: 1 | 2 | 4): number => {
    position += size;
    return size === 1
      ? body.readUInt8(position - 1)
      : size === 2
        ? body.readInt16BE(position - 2)
        : body.readInt32BE(position - 4);
  };
  const string = (): string => {
    const end = body.indexOf(0, position);
    const text = body.toString('utf8', position, end);
    position = end + 1;
    return text;
  };
  const list = <T>(count: number, item: () => T): T[] => Array.from({ length: count }, item);
  switch (type) {
    case 'R':
      return ['R', int(4)];
    case 'S':
      return ['S', string(), string()];
    case 'K':
      return ['K', body.length - 4];
    case 'Z':
    case 'N':
    case 'E':
      return type === 'Z' ? ['Z', body.toString()] : [type, errorFields(body)];
    case 'T':
      return ['T', ...list(int(2), () => [string(), int(4) >>> 0, int(2), int(4), int(2), int(4), int(2)])];
    case 't':
      return ['t', ...list(int(2), () => int(4))];
    case 'D':
      return [
        'D',
        ...list(int(2), () => {
          const length = int(4);
          if (length < 0) return null;
          position += length;
          return body.toString('utf8', position - length, position);
        }),
      ];
    case 'C':
      return ['C', string()];
    case 'W':
    case 'H':
      return [type, body.toString('hex')];
    case 'v':
      return ['v', int(4), ...list(int(4), string)];
    case 'd':
      if (body[0] === 0x6b) return ['k', body[17]];
      if (body[0] === 0x77) return ['w', body.subarray(25).toString('latin1')];
      return ['d', body.toString('hex')];
    default:
      if (body.length > 0) throw new Error(`no outline for message ${type}`);
      return [type];
  }
}

/** Fields in the order sent, without those that name the server's source. */
function errorFields(body: Buffer): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const field of body.toString('utf8').split('\0')) {
    if (field !== '' && !'FLR'.includes(field[0]!)) fields[field[0]!] = field.slice(1);
  }
  return fields;
}
