/** A minimal client that shows the protocol's messages as they are, for the recording scripts. Trust authentication only. */
import net from 'node:net';

const int32 = (n) => {
  const b = Buffer.alloc(4);
  b.writeInt32BE(n);
  return b;
};
const int16 = (n) => {
  const b = Buffer.alloc(2);
  b.writeInt16BE(n);
  return b;
};
const cstring = (s) => Buffer.from(`${s}\0`);
const message = (type, ...parts) => {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
};

/** Error and notice fields by their letter, without file, line and routine. */
function errorFields(body) {
  const fields = {};
  for (let at = 0; body[at] !== 0;) {
    const end = body.indexOf(0, at + 1);
    const key = String.fromCharCode(body[at]);
    if (!'FLRV'.includes(key)) fields[key] = body.toString('utf8', at + 1, end);
    at = end + 1;
  }
  return fields;
}

function rowDescription(body) {
  const fields = [];
  let at = 2;
  for (let i = body.readInt16BE(0); i > 0; i--) {
    const end = body.indexOf(0, at);
    const name = body.toString('utf8', at, end);
    at = end + 1;
    fields.push({
      name,
      tableOid: body.readUInt32BE(at),
      attnum: body.readInt16BE(at + 4),
      typeOid: body.readUInt32BE(at + 6),
      typeLength: body.readInt16BE(at + 10),
      typeModifier: body.readInt32BE(at + 12),
      format: body.readInt16BE(at + 16),
    });
    at += 18;
  }
  return fields;
}

function dataRow(body) {
  const values = [];
  let at = 2;
  for (let i = body.readInt16BE(0); i > 0; i--) {
    const length = body.readInt32BE(at);
    at += 4;
    values.push(length < 0 ? null : body.subarray(at, at + length));
    if (length > 0) at += length;
  }
  return values;
}

function decode(type, body) {
  switch (type) {
    case 'T':
      return { type, fields: rowDescription(body) };
    case 'D':
      return { type, values: dataRow(body) };
    case 'C':
      return { type, tag: body.toString('utf8', 0, body.length - 1) };
    case 'E':
    case 'N':
      return { type, fields: errorFields(body) };
    case 'Z':
      return { type, status: String.fromCharCode(body[0]) };
    case 't':
      return {
        type,
        types: Array.from({ length: body.readInt16BE(0) }, (_, i) => body.readUInt32BE(2 + 4 * i)),
      };
    case 'S': {
      const [name, value] = body.toString('utf8').split('\0');
      return { type, name, value };
    }
    case 'H':
    case 'W':
      return { type, format: body[0], columns: body.readInt16BE(1) };
    case 'd':
      return { type, data: body };
    default:
      return { type };
  }
}

/** Resolves to a client; `startup` is what the connection began with. Requests resolve to the messages up to ReadyForQuery. */
export function connect(port, parameters) {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1');
    let buffer = Buffer.alloc(0);
    let messages = [];
    const started = (startup) => {
      const fatal = startup.find((message) => message.type === 'E');
      if (fatal) reject(new Error(fatal.fields.M));
      else resolve(client(startup));
    };
    let waiting = { resolve: started, reject };
    socket.once('error', reject);
    socket.on('close', () => waiting?.reject(new Error('connection closed')));
    socket.on('connect', () => {
      const pairs = Object.entries(parameters).flatMap(([k, v]) => [cstring(k), cstring(v)]);
      const body = Buffer.concat([int32(196608), ...pairs, Buffer.from([0])]);
      socket.write(Buffer.concat([int32(body.length + 4), body]));
    });
    socket.on('data', (chunk) => {
      buffer = Buffer.concat([buffer, chunk]);
      while (buffer.length >= 5 && buffer.length >= 1 + buffer.readInt32BE(1)) {
        const end = 1 + buffer.readInt32BE(1);
        messages.push(decode(String.fromCharCode(buffer[0]), buffer.subarray(5, end)));
        buffer = buffer.subarray(end);
        const last = messages.at(-1);
        if (last.type === 'Z' || (last.type === 'E' && last.fields.S === 'FATAL')) {
          const done = messages;
          messages = [];
          const { resolve: give } = waiting ?? {};
          waiting = undefined;
          give?.(done);
        }
      }
    });
    const send = (bytes) =>
      new Promise((give, fail) => {
        waiting = { resolve: give, reject: fail };
        socket.write(bytes);
      });
    const client = (startup) => ({
      startup,
      query: (text) => send(message('Q', cstring(text))),
      /** Parse, Describe statement, Bind, Describe portal, Execute, Sync. Parameters and results as text, results binary if asked. */
      extended: (text, values, { types = [], binary = false } = {}) =>
        send(
          Buffer.concat([
            message('P', cstring(''), cstring(text), int16(types.length), ...types.map(int32)),
            message('D', Buffer.from('S'), cstring('')),
            message(
              'B',
              cstring(''),
              cstring(''),
              int16(0),
              int16(values.length),
              ...values.flatMap((v) => (v === null ? [int32(-1)] : [int32(Buffer.byteLength(v)), Buffer.from(v)])),
              int16(1),
              int16(binary ? 1 : 0),
            ),
            message('E', cstring(''), int32(0)),
            message('S'),
          ]),
        ),
      end: () => new Promise((ended) => socket.once('close', ended).end(message('X'))),
    });
  });
}
