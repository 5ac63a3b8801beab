/** inet and cidr: an address and the length of its network's prefix. */
import { concatBytes } from './big-endian.js';
import { builtinType, ValueError } from './pg-type.js';

interface Network {
  /** 4 or 16. */
  readonly address: Uint8Array;
  readonly bits: number;
}

type SqlName = 'inet' | 'cidr';

function inputNetwork(sqlName: SqlName) {
  return (text: string): string => {
    const network = text.includes(':') ? parseIpv6(text) : sqlName === 'inet' ? parseInet4(text) : parseCidr4(text);
    if (network === undefined) throw new ValueError('22P02', `invalid input syntax for type ${sqlName}: "${text}"`);
    if (sqlName === 'cidr' && hasHostBits(network)) throw new ValueError('22P02', `invalid cidr value: "${text}"`);
    return printNetwork(network, sqlName);
  };
}

/** `10.1/16`: octets left out at the end are 0 and need a prefix length. */
const ipv4Form = /^(\d+(?:\.\d+){0,3})(?:\/(\d+))?$/;

function parseOctets(text: string): number[] | undefined {
  const octets = text.split('.').map(Number);
  return octets.every((octet) => octet <= 255) ? octets : undefined;
}

function parseInet4(text: string): Network | undefined {
  const match = ipv4Form.exec(text.replace(/\.$/, ''));
  const octets = match === null ? undefined : parseOctets(match[1]!);
  if (octets === undefined) return undefined;
  const bits = match![2] === undefined ? (octets.length === 4 ? 32 : undefined) : Number(match![2]);
  if (bits === undefined || bits > 32 || Math.floor(bits / 8) > octets.length) return undefined;
  return { address: Uint8Array.from({ length: 4 }, (_, i) => octets[i] ?? 0), bits };
}

/** Without a prefix length the class of the network gives one, or the octets that are there. Also as 0x0a01. */
function parseCidr4(text: string): Network | undefined {
  const hexadecimal = /^0[xX]([0-9a-fA-F]+)(?:\/(\d+))?$/.exec(text);
  const match = hexadecimal ?? ipv4Form.exec(text);
  if (match === null) return undefined;
  const octets =
    hexadecimal === null
      ? parseOctets(match[1]!)
      : match[1]!.match(/..?/g)!.map((pair) => parseInt(pair.padEnd(2, '0'), 16));
  if (octets === undefined || octets.length > 4) return undefined;
  const bits = match[2] === undefined ? bitsOfClass(octets) : Number(match[2]);
  if (bits > 32) return undefined;
  return { address: Uint8Array.from({ length: 4 }, (_, i) => octets[i] ?? 0), bits };
}

function bitsOfClass(octets: readonly number[]): number {
  const first = octets[0]!;
  const bits = first >= 240 ? 32 : first >= 224 ? 8 : first >= 192 ? 24 : first >= 128 ? 16 : 8;
  const known = Math.max(bits, 8 * octets.length);
  return known === 8 && first === 224 ? 4 : known;
}

function parseIpv6(text: string): Network | undefined {
  const match = /^([0-9a-fA-F:]*?)(\d+(?:\.\d+){1,3})?(?:\/(\d{1,3}))?$/.exec(text);
  if (match === null) return undefined;
  const [, hexadecimal = '', ipv4, prefix] = match;
  const bits = prefix === undefined ? 128 : Number(prefix);
  if (bits > 128 || (prefix !== undefined && /^0\d/.test(prefix))) return undefined;
  let words = hexadecimal;
  if (ipv4 !== undefined) {
    const octets = parseOctets(ipv4);
    if (octets === undefined || !hexadecimal.endsWith(':')) return undefined;
    const [a = 0, b = 0, c = 0, d = 0] = octets;
    words += `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  }
  const address = parseWords(words);
  return address && { address, bits };
}

/** Eight words between colons; `::` once stands for as many zeros as there is room for. */
function parseWords(text: string): Uint8Array | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [before, after = []] = halves.map((half) => (half === '' ? [] : half.split(':'))) as [string[], string[]?];
  const words = [...before, ...after];
  if (words.some((word) => !/^[0-9a-fA-F]{1,4}$/.test(word))) return undefined;
  const gap = 8 - words.length;
  if (halves.length === 2 ? gap < 1 : gap !== 0) return undefined;
  const all = [...before, ...Array.from({ length: gap }, () => '0'), ...after];
  return Uint8Array.from(all.flatMap((word) => [parseInt(word, 16) >> 8, parseInt(word, 16) & 0xff]));
}

function hasHostBits({ address, bits }: Network): boolean {
  return address.some((byte, i) => {
    const kept = Math.min(Math.max(bits - 8 * i, 0), 8);
    return (byte & (0xff >> kept)) !== 0;
  });
}

function printNetwork({ address, bits }: Network, sqlName: SqlName): string {
  const host = address.length === 4 ? address.join('.') : printIpv6(address);
  return sqlName === 'inet' && bits === address.length * 8 ? host : `${host}/${bits}`;
}

function printIpv6(address: Uint8Array): string {
  const words = Array.from({ length: 8 }, (_, i) => address[2 * i]! * 256 + address[2 * i + 1]!);
  const zeros = longestZeros(words);
  const embedsIpv4 = zeros.start === 0 && (zeros.length === 6 || (zeros.length === 5 && words[5] === 0xffff));
  const printed = words.map((word) => word.toString(16));
  if (embedsIpv4) printed.splice(6, 2, address.slice(12).join('.'));
  if (zeros.length < 2) return printed.join(':');
  const head = printed.slice(0, zeros.start).join(':');
  return `${head}::${printed.slice(zeros.start + zeros.length).join(':')}`;
}

/** The first of the longest runs. */
function longestZeros(words: readonly number[]): { start: number; length: number } {
  let best = { start: -1, length: 0 };
  for (let start = 0; start < words.length; start++) {
    let length = 0;
    while (words[start + length] === 0) length++;
    if (length > best.length) best = { start, length };
  }
  return best;
}

function parseCanonical(canonical: string): Network {
  return (canonical.includes(':') ? parseIpv6(canonical) : parseInet4(canonical))!;
}

/** Family (2 or 3), prefix length, 1 for cidr, length of the address, the address. */
function sendNetwork(sqlName: SqlName) {
  return (canonical: string): Uint8Array => {
    const { address, bits } = parseCanonical(canonical);
    const header = Uint8Array.of(address.length === 4 ? 2 : 3, bits, sqlName === 'cidr' ? 1 : 0, address.length);
    return concatBytes([header, address]);
  };
}

/** IPv4 first; then by the prefix that both have, by its length, by the rest of the address. */
function compareNetworks(a: string, b: string): number {
  const [x, y] = [parseCanonical(a), parseCanonical(b)];
  if (x.address.length !== y.address.length) return x.address.length - y.address.length;
  return (
    comparePrefixes(x.address, y.address, Math.min(x.bits, y.bits)) ||
    x.bits - y.bits ||
    comparePrefixes(x.address, y.address, 8 * x.address.length)
  );
}

function comparePrefixes(a: Uint8Array, b: Uint8Array, bits: number): number {
  for (let i = 0; 8 * i < bits; i++) {
    const mask = 0xff & ~(0xff >> Math.min(bits - 8 * i, 8));
    const order = (a[i]! & mask) - (b[i]! & mask);
    if (order !== 0) return order;
  }
  return 0;
}

export const networkTypes = [
  builtinType(650, 'cidr', -1, 651, {
    input: inputNetwork('cidr'),
    send: sendNetwork('cidr'),
    compare: compareNetworks,
  }),
  builtinType(869, 'inet', -1, 1041, {
    input: inputNetwork('inet'),
    send: sendNetwork('inet'),
    compare: compareNetworks,
  }),
];
