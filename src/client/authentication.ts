/** Answers to the server's authentication requests. */
import { createHash } from 'node:crypto';
import { serialize } from 'pg-protocol';
import { AuthenticationMD5Password, type BackendMessage } from 'pg-protocol/dist/messages.js';
import { ConnectionError } from './connection-error.js';
import { ScramExchange } from './scram.js';
import type { Target } from './target.js';

export class Authentication {
  readonly #scram = new ScramExchange();

  constructor(readonly target: Target) {}

  /** What to send for a message of the server's; undefined when it wants nothing. @throws ConnectionError if it cannot be met. */
  answer(message: BackendMessage): Buffer | undefined {
    switch (message.name) {
      case 'authenticationOk':
        return undefined;
      case 'authenticationCleartextPassword':
        return serialize.password(this.#password);
      case 'authenticationMD5Password':
        if (!(message instanceof AuthenticationMD5Password)) break;
        return serialize.password(md5Password(this.target.user, this.#password, message.salt));
      case 'authenticationSASL': {
        const { mechanisms } = message as BackendMessage & { mechanisms: string[] };
        if (!mechanisms.includes('SCRAM-SHA-256')) break;
        return serialize.sendSASLInitialResponseMessage('SCRAM-SHA-256', this.#scram.clientFirst);
      }
      case 'authenticationSASLContinue':
        return serialize.sendSCRAMClientFinalMessage(this.#scram.clientFinal(this.#password, saslData(message)));
      case 'authenticationSASLFinal':
        this.#scram.verify(saslData(message));
        return undefined;
      default:
    }
    throw new ConnectionError(`the server sent ${message.name}, which no known way to log in starts with`);
  }

  get #password(): string {
    const { password, user } = this.target;
    if (password === undefined) throw new ConnectionError(`the server wants a password for user "${user}"`);
    return password;
  }
}

function saslData(message: BackendMessage): string {
  return (message as BackendMessage & { data: string }).data;
}

/** What PasswordMessage carries for AuthenticationMD5Password. `salt`: 4 bytes. */
export function md5Password(user: string, password: string, salt: Uint8Array): string {
  const inner = createHash('md5').update(`${password}${user}`).digest('hex');
  return `md5${createHash('md5').update(inner).update(salt).digest('hex')}`;
}
