import { describe, expect, it } from '@jest/globals';
import { ScramExchange } from './scram.js';

// An exchange that PostgreSQL 15 accepted, password "pencil".
const nonce = 'rOprNGfwEbeRWgbNEkqO';
const serverFirst = 'r=rOprNGfwEbeRWgbNEkqO62lah/U69RjLtLMqXzHWd3FM,s=9EiBsZ2PXz/F8NLKFWq8Pg==,i=4096';
const clientFinal =
  'c=biws,r=rOprNGfwEbeRWgbNEkqO62lah/U69RjLtLMqXzHWd3FM,p=eQV926jnE/CbSNb/PBhnbx5hQhDBmO+jHWoLHx0CSVI=';
const serverFinal = 'v=4OFYc5Ha5TMnI6MySRL/QN/tKvX6mNq3zcFQlgjicSs=';

describe('ScramExchange', () => {
  it('leaves the name empty, which the server takes from the StartupMessage', () => {
    expect(new ScramExchange(nonce).clientFirst).toBe(`n,,n=,r=${nonce}`);
  });

  it('says and accepts what a server accepted and said', () => {
    const exchange = new ScramExchange(nonce);
    expect(exchange.clientFinal('pencil', serverFirst)).toBe(clientFinal);
    expect(() => exchange.verify(serverFinal)).not.toThrow();
  });

  it('refuses a nonce that does not continue its own', () => {
    const exchange = new ScramExchange(nonce);
    expect(() => exchange.clientFinal('pencil', serverFirst.replace('rOpr', 'xOpr'))).toThrow('nonce');
    expect(() => exchange.clientFinal('pencil', `r=${nonce},s=W22Z,i=4096`)).toThrow('nonce');
  });

  it.each(['r=x,s=y', 's=W22Z,i=4096', `r=${nonce}abc,s=W22Z,i=0`, 'nonsense'])('refuses %s', (message) => {
    expect(() => new ScramExchange(nonce).clientFinal('pencil', message)).toThrow('lacks r, s or i');
  });

  it('refuses a server that does not know the password', () => {
    const exchange = new ScramExchange(nonce);
    exchange.clientFinal('pencil', serverFirst);
    expect(() => exchange.verify('v=AAAA')).toThrow('did not prove');
    expect(() => new ScramExchange(nonce).verify(serverFinal)).toThrow('did not prove');
  });
});
