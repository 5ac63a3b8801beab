/**
 * The server's side of SCRAM-SHA-256 and SCRAM-SHA-256-PLUS (RFC 5802, RFC 7677; manual: "SASL Authentication"):
 *
 * ```
 *   client-first ──→ server-first ──→ client-final ──→ server-final, or a refusal
 * ```
 *
 * Errors are FATAL: PostgreSQL raises them before the session has begun.
 */
import { createHash, createHmac, pbkdf2Sync, timingSafeEqual } from 'node:crypto';
import { WireError } from '../values/wire-error.js';

const scramIterations = 4096;

const plusMechanism = 'SCRAM-SHA-256-PLUS';
const plainMechanism = 'SCRAM-SHA-256';

export interface ScramOptions {
  /** Null: there is nothing to check against, the exchange goes on and fails in the end. */
  readonly password: string | null;
  /** tls-server-end-point: the hash of the server's certificate; null without TLS or where PLUS is not offered. */
  readonly channelBinding: Uint8Array | null;
  readonly random: (count: number) => Uint8Array;
}

/** In the order in which the server lists them. */
export function scramMechanisms(channelBinding: Uint8Array | null): string[] {
  return channelBinding === null ? [plainMechanism] : [plusMechanism, plainMechanism];
}

export class ScramServer {
  readonly #salt: Uint8Array;
  #plus = false;
  #gs2Header = '';
  #clientFirstBare = '';
  #serverFirst = '';
  #nonce = '';

  constructor(private readonly options: ScramOptions) {
    this.#salt = options.random(16);
  }

  /** The answer to client-first. @throws WireError FATAL */
  serverFirst(mechanism: string, clientFirst: string): string {
    const mechanisms = scramMechanisms(this.options.channelBinding);
    if (!mechanisms.includes(mechanism)) throw violation('client selected an invalid SASL authentication mechanism');
    this.#plus = mechanism === plusMechanism;

    const parts = /^([^,]*),([^,]*),([^]*)$/.exec(clientFirst);
    if (!parts) throw malformed('Comma expected.');
    const [, flag, authorizationIdentity, bare] = parts as unknown as [string, string, string, string];
    this.#checkChannelBindingFlag(flag);
    if (authorizationIdentity.startsWith('a')) {
      throw fatal('0A000', 'client uses authorization identity, but it is not supported');
    }
    if (authorizationIdentity !== '')
      throw malformed(`Unexpected attribute "${authorizationIdentity[0]!}" in client-first-message.`);
    if (bare.startsWith('m')) throw fatal('0A000', 'client requires an unsupported SCRAM extension');
    const nonce = /^n=[^,]*,r=([^,]*)/.exec(bare)?.[1];
    if (nonce === undefined || nonce === '') throw malformed('Attributes "n" and "r" were expected.');
    if (!/^[!-~]+$/.test(nonce)) throw violation('non-printable characters in SCRAM nonce');

    this.#gs2Header = `${flag},,`;
    this.#clientFirstBare = bare;
    this.#nonce = nonce + base64(this.options.random(18));
    this.#serverFirst = `r=${this.#nonce},s=${base64(this.#salt)},i=${scramIterations}`;
    return this.#serverFirst;
  }

  /** The answer to client-final; null when the password was wrong. @throws WireError FATAL */
  serverFinal(clientFinal: string): string | null {
    const parts = /^c=([^,]*),r=([^,]*)(?:,[^,]*)*?,p=([^,]*)$/.exec(clientFinal);
    if (!parts) throw malformed('Attributes "c", "r" and "p" were expected.');
    const [, binding, nonce, proofText] = parts as unknown as [string, string, string, string];
    this.#checkChannelBinding(binding);
    if (nonce !== this.#nonce) {
      throw new WireError({
        severity: 'FATAL',
        code: '08P01',
        message: 'invalid SCRAM response',
        detail: 'Nonce does not match.',
      });
    }
    const proof = Buffer.from(proofText, 'base64');
    if (proof.length !== 32) throw malformed('Malformed proof in client-final-message.');

    const withoutProof = clientFinal.slice(0, clientFinal.lastIndexOf(',p='));
    const authMessage = `${this.#clientFirstBare},${this.#serverFirst},${withoutProof}`;
    const salted = pbkdf2Sync(saslPrep(this.options.password ?? ''), this.#salt, scramIterations, 32, 'sha256');
    const storedKey = sha256(hmac(salted, 'Client Key'));
    const clientSignature = hmac(storedKey, authMessage);
    const clientKey = proof.map((byte, index) => byte ^ clientSignature[index]!);
    const right = timingSafeEqual(sha256(clientKey), storedKey);
    if (!right || this.options.password === null) return null;
    return `v=${base64(hmac(hmac(salted, 'Server Key'), authMessage))}`;
  }

  #checkChannelBindingFlag(flag: string): void {
    if (flag === 'n' || flag === 'y') {
      if (this.#plus) {
        throw malformed(
          'The client selected SCRAM-SHA-256-PLUS, but the SCRAM message does not include channel binding data.',
        );
      }
      if (flag === 'y' && this.options.channelBinding !== null) {
        throw new WireError({
          severity: 'FATAL',
          code: '28000',
          message: 'SCRAM channel binding negotiation error',
          detail:
            'The client supports SCRAM channel binding but thinks the server does not.  However, this server does support channel binding.',
        });
      }
    } else if (flag.startsWith('p=')) {
      if (!this.#plus) {
        throw malformed(
          'The client selected SCRAM-SHA-256 without channel binding, but the SCRAM message includes channel binding data.',
        );
      }
      const type = flag.slice(2);
      if (type !== 'tls-server-end-point') throw violation(`unsupported SCRAM channel-binding type "${type}"`);
    } else {
      throw malformed(`Unexpected channel-binding flag "${flag.slice(0, 1)}".`);
    }
  }

  #checkChannelBinding(sent: string): void {
    const { channelBinding } = this.options;
    const data = this.#plus && channelBinding !== null ? channelBinding : new Uint8Array(0);
    const expected = Buffer.concat([Buffer.from(this.#gs2Header), data]).toString('base64');
    if (sent === expected) return;
    if (this.#plus) throw fatal('28000', 'SCRAM channel binding check failed');
    throw violation('unexpected SCRAM channel-binding attribute in client-final-message');
  }
}

/**
 * SASLprep (RFC 4013) as far as it changes text: other blanks become spaces, invisible characters go, then NFKC. What it
 * prohibits the server lets pass, and so does this.
 */
function saslPrep(password: string): string {
  return password
    .replace(/[\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000]/g, ' ')
    .replace(/\u00ad|\u034f|\u1806|[\u180b-\u180d]|\u200c|\u200d|\u2060|[\ufe00-\ufe0f]|\ufeff/g, '')
    .normalize('NFKC');
}

function fatal(code: string, message: string): WireError {
  return new WireError({ severity: 'FATAL', code, message });
}

function violation(message: string): WireError {
  return fatal('08P01', message);
}

function malformed(detail: string): WireError {
  return new WireError({ severity: 'FATAL', code: '08P01', message: 'malformed SCRAM message', detail });
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

function hmac(key: Uint8Array, data: string): Buffer {
  return createHmac('sha256', key).update(data).digest();
}

function sha256(data: Uint8Array): Buffer {
  return createHash('sha256').update(data).digest();
}
