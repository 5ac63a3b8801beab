import type { AddressInfo } from 'node:net';
import type { Scenario } from '../scenario/index.js';

/** How clients find the scenario's database at an address: with its first user, and that one's password. */
export function serverUrl({ server, name }: Pick<Scenario, 'server' | 'name'>, address: AddressInfo): string {
  const { name: user, password } = server.users[0] ?? { name: 'postgres', password: '' };
  const authority = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  const credentials = [user, password]
    .filter((part) => part !== '')
    .map(encodeURIComponent)
    .join(':');
  return `postgres://${credentials}@${authority}:${address.port}/${encodeURIComponent(name)}`;
}
