/** SCRAM-SHA-256 (RFC 5802, 7677). */
import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto';
import { ConnectionError } from './connection-error.js';

/**
 * One SCRAM-SHA-256 exchange without channel binding:
 *
 * ```
 *   clientFirst ──→ server-first ──→ clientFinal(server-first) ──→ server-final ──→ verify(server-final)
 * ```
 */
export class ScramExchange {
  readonly #nonce: string;
  #serverSignature: Buffer | undefined;

  /** @param nonce printable ASCII without a comma; random when left out. */
  constructor(nonce = randomBytes(18).toString('base64')) {
    this.#nonce = nonce;
  }

  /** PostgreSQL takes the user from the StartupMessage, so the name here is empty. */
  get clientFirst(): string {
    return `n,,${this.#clientFirstBare}`;
  }

  get #clientFirstBare(): string {
    return `n=,r=${this.#nonce}`;
  }

  /** @throws ConnectionError if the server's message is malformed or does not continue the client's nonce. */
  clientFinal(password: string, serverFirst: string): string {
    const { r: nonce, s: salt, i: iterations } = attributes(serverFirst);
    if (nonce === undefined || salt === undefined || !/^[1-9]\d*$/.test(iterations ?? '')) {
      throw new ConnectionError(`SCRAM: the server's first message lacks r, s or i: ${serverFirst}`);
    }
    if (!nonce.startsWith(this.#nonce) || nonce === this.#nonce) {
      throw new ConnectionError("SCRAM: the server's nonce does not continue the client's");
    }
    // NFKC is the part of SASLprep that changes passwords people use.
    const salted = pbkdf2Sync(
      password.normalize('NFKC'),
      Buffer.from(salt, 'base64'),
      Number(iterations),
      32,
      'sha256',
    );
    const clientKey = hmac(salted, 'Client Key');
    const withoutProof = `c=biws,r=${nonce}`;
    const authMessage = `${this.#clientFirstBare},${serverFirst},${withoutProof}`;
    const clientSignature = hmac(createHash('sha256').update(clientKey).digest(), authMessage);
    const proof = Buffer.from(clientKey.map((byte, index) => byte ^ clientSignature[index]!));
    this.#serverSignature = hmac(hmac(salted, 'Server Key'), authMessage);
    return `${withoutProof},p=${proof.toString('base64')}`;
  }

  /** @throws ConnectionError unless the server proved that it knows the password, too. */
  verify(serverFinal: string): void {
    const signature = Buffer.from(attributes(serverFinal).v ?? '', 'base64');
    const expected = this.#serverSignature;
    if (!expected || signature.length !== expected.length || !timingSafeEqual(signature, expected)) {
      throw new ConnectionError('SCRAM: the server did not prove that it knows the password');
    }
  }
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/** `r=…,s=…,i=…` by name. */
function attributes(message: string): Partial<Record<'r' | 's' | 'i' | 'v', string>> {
  return Object.fromEntries(message.split(',').map((part) => [part.slice(0, 1), part.slice(2)]));
}
