/**
 * Asking a client for its password (manual: "Start-up"):
 *
 * ```
 *   trust ─────────────────────────────────────────────────────────────────────→ accepted
 *   password, md5 ──AuthenticationXxx──→ PasswordMessage ─────────────────────→ accepted or 28P01
 *   scram-sha-256 ──AuthenticationSASL──→ SASLInitialResponse ──Continue──→ SASLResponse ──Final──→ accepted or 28P01
 * ```
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Writer } from '../bytes/writer.js';
import {
  authenticationCleartextPassword,
  authenticationGss,
  authenticationKerberosV5,
  authenticationMd5Password,
  authenticationSasl,
  authenticationSaslContinue,
  authenticationSaslFinal,
  authenticationSspi,
} from '../protocol/backend-messages.js';
import { frontendType, readPassword, readSaslInitialResponse, textOf } from '../protocol/frontend-messages.js';
import { WireError } from '../values/wire-error.js';
import { scramMechanisms, ScramServer } from './scram.js';

/** `gss`, `sspi` and `kerberos` can be asked for, but nobody is let in by them. */
export type AuthenticationMethod = 'trust' | 'password' | 'md5' | 'scram-sha-256' | 'gss' | 'sspi' | 'kerberos';

export interface AuthenticationOptions {
  readonly method: AuthenticationMethod;
  readonly user: string;
  /** Null: the role has none, or there is no such role; no password is right then. */
  readonly password: string | null;
  /** See ScramOptions. */
  readonly channelBinding: Uint8Array | null;
  readonly random: (count: number) => Uint8Array;
  /** SASL mechanisms that are offered instead of those that there are. */
  readonly mechanisms?: readonly string[];
}

export class Authentication {
  #md5Salt = new Uint8Array(0);
  #scram: ScramServer | undefined;
  #mechanism: string | undefined;
  #challenged = false;

  constructor(private readonly options: AuthenticationOptions) {}

  /** Asks, if there is something to ask; true when the client is accepted already. */
  begin(writer: Writer): boolean {
    const { method, channelBinding, random } = this.options;
    switch (method) {
      case 'trust':
        return true;
      case 'password':
        authenticationCleartextPassword(writer);
        break;
      case 'md5':
        this.#md5Salt = random(4).slice();
        authenticationMd5Password(writer, this.#md5Salt);
        break;
      case 'scram-sha-256':
        this.#scram = new ScramServer(this.options);
        authenticationSasl(writer, this.options.mechanisms ?? scramMechanisms(channelBinding));
        break;
      case 'gss':
        authenticationGss(writer);
        break;
      case 'sspi':
        authenticationSspi(writer);
        break;
      case 'kerberos':
        authenticationKerberosV5(writer);
    }
    return false;
  }

  /** Takes the client's next message; true once it is accepted. @throws WireError FATAL 28P01, 08P01 … */
  receive(writer: Writer, type: number, body: Uint8Array): boolean {
    if (type !== frontendType.password) {
      const expected = this.#scram ? 'SASL response' : 'password response';
      throw new WireError({
        severity: 'FATAL',
        code: '08P01',
        message: `expected ${expected}, got message type ${type}`,
      });
    }
    if (this.#scram) return this.#receiveSasl(this.#scram, writer, body);
    const foreign = foreignMethods[this.options.method];
    if (foreign !== undefined) {
      const message = `${foreign} authentication failed for user "${this.options.user}"`;
      throw new WireError({ severity: 'FATAL', code: '28000', message });
    }
    const sent = readPassword(body);
    if (sent === '')
      throw new WireError({ severity: 'FATAL', code: '28P01', message: 'empty password returned by client' });
    const { method, user, password } = this.options;
    if (password === null) throw this.#wrong();
    const expected = method === 'md5' ? md5Response(user, password, this.#md5Salt) : password;
    if (!sameText(sent, expected)) throw this.#wrong();
    return true;
  }

  #receiveSasl(scram: ScramServer, writer: Writer, body: Uint8Array): boolean {
    if (!this.#challenged) {
      let clientFirst: string | null = textOf(body);
      if (this.#mechanism === undefined)
        ({ mechanism: this.#mechanism, data: clientFirst } = readSaslInitialResponse(body));
      this.#challenged = clientFirst !== null;
      // A client that only named its mechanism is asked for its first message by an empty challenge.
      authenticationSaslContinue(writer, clientFirst === null ? '' : scram.serverFirst(this.#mechanism, clientFirst));
      return false;
    }
    const final = scram.serverFinal(textOf(body));
    if (final === null) throw this.#wrong();
    authenticationSaslFinal(writer, final);
    return true;
  }

  #wrong(): WireError {
    const message = `password authentication failed for user "${this.options.user}"`;
    return new WireError({ severity: 'FATAL', code: '28P01', message });
  }
}

const foreignMethods: Partial<Record<AuthenticationMethod, string>> = {
  gss: 'GSSAPI',
  sspi: 'SSPI',
  kerberos: 'Kerberos 5',
};

/** `md5` and the hexadecimal digest of the digest of password and user, and the salt. */
function md5Response(user: string, password: string, salt: Uint8Array): string {
  const inner = createHash('md5').update(`${password}${user}`).digest('hex');
  return `md5${createHash('md5').update(inner).update(salt).digest('hex')}`;
}

function sameText(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
