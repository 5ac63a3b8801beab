import { compareText } from './character.js';
import { invalidSyntax } from './input-error.js';
import { sendBytea } from './bytea.js';
import { builtinType, ValueError } from './pg-type.js';

/**
 * Groups of any number of digits, or octets of one or two, as many as there are (what a number has taken it does not
 * give back to the next); white space may stand before each.
 */
const group = '\\s*([0-9a-f]+)(?![0-9a-f])';
const octet = '\\s*([0-9a-f]{2}|[0-9a-f](?![0-9a-f]))';
const macaddrForms = [
  Array(6).fill(group).join(':'),
  Array(6).fill(group).join('-'),
  [octet.repeat(3), octet.repeat(3)].join(':'),
  [octet.repeat(3), octet.repeat(3)].join('-'),
  [octet.repeat(2), octet.repeat(2), octet.repeat(2)].join('\\.'),
  [octet.repeat(2), octet.repeat(2), octet.repeat(2)].join('-'),
  octet.repeat(6),
].map((form) => new RegExp(`^${form}\\s*$`, 'i'));

function inputMacaddr(text: string): string {
  for (const form of macaddrForms) {
    const octets = form
      .exec(text)
      ?.slice(1)
      .map((digits) => parseInt(digits, 16));
    if (octets === undefined) continue;
    if (octets.some((value) => value > 255)) {
      throw new ValueError('22003', `invalid octet value in "macaddr" value: "${text}"`);
    }
    return printOctets(octets);
  }
  throw invalidSyntax('macaddr', text);
}

/** Eight octets, or six, into which ff:fe is put; one kind of separator or none, behind any of them. */
function inputMacaddr8(text: string): string {
  const trimmed = text.trimStart();
  const octets: number[] = [];
  let separator: string | undefined;
  let at = 0;
  // A single character at the end is not looked at.
  while (at + 1 < trimmed.length) {
    const pair = trimmed.slice(at, at + 2);
    if (!/^[0-9a-f]{2}$/i.test(pair)) throw invalidSyntax('macaddr8', text);
    octets.push(parseInt(pair, 16));
    at += 2;
    if (/[:.-]/.test(trimmed[at] ?? '')) {
      separator ??= trimmed[at];
      if (separator !== trimmed[at]) throw invalidSyntax('macaddr8', text);
      at++;
    }
    const full = octets.length === 6 || octets.length === 8;
    if (full && /^[ \t\n\v\f\r]+$/.test(trimmed.slice(at))) break;
  }
  if (octets.length === 6) octets.splice(3, 0, 0xff, 0xfe);
  if (octets.length !== 8) throw invalidSyntax('macaddr8', text);
  return printOctets(octets);
}

function printOctets(octets: readonly number[]): string {
  return octets.map((octet) => octet.toString(16).padStart(2, '0')).join(':');
}

function sendMacaddr(canonical: string): Uint8Array {
  return sendBytea(`\\x${canonical.replaceAll(':', '')}`);
}

export const macAddressTypes = [
  builtinType(829, 'macaddr', 6, 1040, { input: inputMacaddr, send: sendMacaddr, compare: compareText }),
  builtinType(774, 'macaddr8', 8, 775, { input: inputMacaddr8, send: sendMacaddr, compare: compareText }),
];
