/** TLS for the server's side: which certificate, and what of it binds a SCRAM exchange to the channel. */
import { createHash, X509Certificate } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { createSecureContext, TLSSocket, type SecureContext } from 'node:tls';

/** `cert` and `key` in PEM. `self-signed`: made when the server starts. */
export type TlsConfig = 'off' | 'self-signed' | { readonly cert: string; readonly key: string };

export interface TlsIdentity {
  readonly context: SecureContext;
  /** tls-server-end-point (RFC 5929): the certificate's hash. */
  readonly channelBinding: Uint8Array;
  /** From 17 on. */
  readonly alpn: readonly string[];
}

/** @throws Error for a certificate or key that cannot be read */
export async function loadTls(config: Exclude<TlsConfig, 'off'>, major: number): Promise<TlsIdentity> {
  const { cert, key } = config === 'self-signed' ? await makeCertificate() : config;
  return {
    context: createSecureContext({ cert, key }),
    channelBinding: certificateHash(new X509Certificate(cert)),
    alpn: major >= 17 ? ['postgresql'] : [],
  };
}

/** A server's end of TLS on a socket that has been used in clear before. */
export function acceptTls(socket: Duplex, { context, alpn }: TlsIdentity): TLSSocket {
  return new TLSSocket(socket, {
    isServer: true,
    secureContext: context,
    ...(alpn.length > 0 && { ALPNProtocols: [...alpn] }),
  });
}

/** The hash that its signature uses, SHA-256 where that is weaker or has none of its own. */
function certificateHash({ raw }: X509Certificate): Uint8Array {
  const oid = signatureAlgorithm(raw);
  return createHash(sha384Signatures.has(oid) ? 'sha384' : sha512Signatures.has(oid) ? 'sha512' : 'sha256')
    .update(raw)
    .digest();
}

/** Encoded OIDs in hex: RSA and ECDSA. */
const sha384Signatures = new Set(['2a864886f70d01010c', '2a8648ce3d040303']);
const sha512Signatures = new Set(['2a864886f70d01010d', '2a8648ce3d040304']);

/** Certificate ::= SEQUENCE { tbsCertificate SEQUENCE, signatureAlgorithm SEQUENCE { OID … } … }; the OID's content in hex. */
function signatureAlgorithm(der: Buffer): string {
  const content = (start: number): { readonly at: number; readonly end: number } => {
    const first = der[start + 1]!;
    const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
    const length = lengthBytes === 0 ? first : der.readUIntBE(start + 2, lengthBytes);
    const at = start + 2 + lengthBytes;
    return { at, end: at + length };
  };
  const tbsCertificate = content(content(0).at);
  const algorithm = content(content(tbsCertificate.end).at);
  return der.toString('hex', algorithm.at, algorithm.end);
}

async function makeCertificate(): Promise<{ cert: string; key: string }> {
  // Loading it takes longer than starting everything else.
  const { generate } = await import('selfsigned');
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
          { type: 7, ip: '::1' },
        ],
      },
    ],
  });
  return { cert, key };
}
