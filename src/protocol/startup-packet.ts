/** The first packets of a connection, which have a length but no type byte. */
import { WireError } from '../values/wire-error.js';

export type StartupPacket =
  | { readonly kind: 'sslRequest' }
  | { readonly kind: 'gssEncRequest' }
  | { readonly kind: 'cancelRequest'; readonly pid: number; readonly key: Uint8Array }
  | {
      readonly kind: 'startup';
      readonly version: ProtocolVersion;
      /** In the order sent; names as written; of a repeated one the last counts. Empty for protocol 2. */
      readonly parameters: ReadonlyMap<string, string>;
    };

export interface ProtocolVersion {
  readonly major: number;
  readonly minor: number;
}

/** A request for encryption is answered once; a second one is taken for a protocol version. */
export interface EncryptionAsked {
  readonly ssl: boolean;
  readonly gss: boolean;
}

const cancelRequestCode = (1234 << 16) | 5678;
const sslRequestCode = (1234 << 16) | 5679;
const gssEncRequestCode = (1234 << 16) | 5680;

/**
 * @param body the packet after its length word, at least 4 bytes
 * @returns undefined for a malformed CancelRequest, which the server drops without an answer
 * @throws WireError FATAL 08P01 for a malformed parameter list
 */
export function parseStartupPacket(body: Uint8Array, asked: EncryptionAsked, major: number): StartupPacket | undefined {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const code = view.getInt32(0);
  if (code === cancelRequestCode) {
    const key = body.subarray(8);
    const wellFormed = key.length === 4 || (major >= 18 && key.length > 4 && key.length <= 256);
    return wellFormed ? { kind: 'cancelRequest', pid: view.getInt32(4), key } : undefined;
  }
  if (code === sslRequestCode && !asked.ssl) return { kind: 'sslRequest' };
  if (code === gssEncRequestCode && major >= 12 && !asked.gss) return { kind: 'gssEncRequest' };
  const version = { major: code >>> 16, minor: code & 0xffff };
  return { kind: 'startup', version, parameters: version.major === 3 ? parseParameters(body) : new Map() };
}

function parseParameters(body: Uint8Array): Map<string, string> {
  const parameters = new Map<string, string>();
  let position = 4;
  const nextString = (): string | undefined => {
    const end = body.indexOf(0, position);
    if (end < 0) return undefined;
    const text = Buffer.from(body.buffer, body.byteOffset + position, end - position).toString();
    position = end + 1;
    return text;
  };
  for (;;) {
    const name = nextString();
    if (name === '' && position === body.length) return parameters;
    const value = name === '' ? undefined : nextString();
    if (name === undefined || value === undefined) {
      const message = 'invalid startup packet layout: expected terminator as last byte';
      throw new WireError({ severity: 'FATAL', code: '08P01', message });
    }
    parameters.set(name, value);
  }
}
