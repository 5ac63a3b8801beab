/** Types of the system itself that tables may have too: LSNs, row addresses, snapshots, vectors, privileges. */
import { sendArray } from './array.js';
import { concatBytes, int16Bytes, int32Bytes, int64Bytes } from './big-endian.js';
import { invalidSyntax } from './input-error.js';
import { compareIntegers, inputInt2, sendInt2, sendInt4 } from './integer.js';
import { inputOid } from './object-identifier.js';
import { builtinType, ValueError, type PgType } from './pg-type.js';

/** From 19 the low half always has eight digits. */
function inputLsn(text: string, _typeModifier: number, major: number): string {
  const match = /^([0-9a-fA-F]{1,8})\/([0-9a-fA-F]{1,8})$/.exec(text);
  if (match === null) throw invalidSyntax('pg_lsn', text);
  const [high, low] = [match[1]!, match[2]!].map((half) => parseInt(half, 16).toString(16).toUpperCase());
  return `${high!}/${major >= 19 ? low!.padStart(8, '0') : low!}`;
}

function lsnValue(canonical: string): bigint {
  const [high = '', low = ''] = canonical.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

function compareLsns(a: string, b: string): number {
  return compareIntegers(lsnValue(a).toString(), lsnValue(b).toString());
}

/** `(block,offset)` */
function inputTid(text: string, _typeModifier: number, major: number): string {
  const match = /^[^(]*\(\s*([+-]?\d+),\s*([+-]?\d+)\)/.exec(text);
  const [block, offset] = [Number(match?.[1]), Number(match?.[2])];
  // Until 14 a block number wraps around.
  const blockFits = major < 15 || (block >= -(2 ** 31) && block < 2 ** 32);
  if (match === null || !blockFits || offset < 0 || offset > 65_535) throw invalidSyntax('tid', text);
  return `(${block >>> 0},${offset})`;
}

function tidParts(canonical: string): [block: number, offset: number] {
  const [block = 0, offset = 0] = canonical.slice(1, -1).split(',').map(Number);
  return [block, offset];
}

function compareTids(a: string, b: string): number {
  const [x, y] = [tidParts(a), tidParts(b)];
  return x[0] - y[0] || x[1] - y[1];
}

/** xmin, xmax and the transactions between them that run, `10:20:12,14`, in ascending order. */
function inputSnapshot(text: string, _typeModifier: number, major: number): string {
  const match = /^(\d+):(\d+):((?:\d+(?:,|$))*)$/.exec(text);
  const [xmin, xmax] = [BigInt(match?.[1] ?? 0), BigInt(match?.[2] ?? 0)];
  const running = match?.[3]!.match(/\d+/g)?.map(BigInt) ?? [];
  const ordered = running.every((xid, i) => xid >= (running[i - 1] ?? xmin) && xid < xmax);
  if (xmin === 0n || xmax < xmin || xmax >= 2n ** 63n || !ordered) {
    throw invalidSyntax(major >= 13 ? 'pg_snapshot' : 'txid_snapshot', text);
  }
  return `${xmin}:${xmax}:${[...new Set(running)].join(',')}`;
}

/** Int32 count of running transactions, then xmin, xmax and these as Int64. */
function sendSnapshot(canonical: string): Uint8Array {
  const [xmin = '', xmax = '', running = ''] = canonical.split(':');
  const xids = running === '' ? [] : running.split(',');
  return concatBytes([int32Bytes(xids.length), ...[xmin, xmax, ...xids].map((xid) => int64Bytes(BigInt(xid)))]);
}

/** Numbers between spaces (`element` finds them), sent as an array that begins at 0. */
function vectorType(
  oid: number,
  name: string,
  arrayOid: number,
  elementOid: number,
  element: RegExp,
  input: PgType['input'],
): PgType {
  const sendElement = elementOid === 21 ? sendInt2 : sendInt4;
  return builtinType(oid, name, -1, arrayOid, {
    input: (text, typeModifier, major) => {
      const elements = text.match(element) ?? [];
      return elements.map((part) => input(part, typeModifier, major)).join(' ');
    },
    send: (canonical) => {
      const elements = canonical === '' ? [] : canonical.split(' ');
      return sendArray({ lengths: [elements.length], lowerBounds: [0], elements }, elementOid, sendElement);
    },
  });
}

/** From 12 to 14 it calls itself an integer. */
function inputVectorElement(text: string, typeModifier: number, major: number): string {
  if (major < 15 && major >= 12 && !/^[+-]?\d+$/.test(text)) throw invalidSyntax('integer', text);
  return inputInt2(text, typeModifier, major);
}

/** Letters of privileges, in the order in which they are printed. */
function privilegeLetters(major: number): string {
  return `arwdDxtXUCTc${major >= 15 ? 'sA' : ''}${major >= 17 ? 'm' : ''}`;
}

/** `grantee=privileges/grantor`, an asterisk behind those that may be granted on. Whether the roles exist isn't checked. */
function inputAclitem(text: string, _typeModifier: number, major: number): string {
  const role = '((?:[\\w\\x80-\\uffff]|"(?:[^"]|"")*")*)';
  const match = new RegExp(`^\\s*(?:(?:group|user)\\s+)?${role}\\s*(=)?([^/\\s]*)(?:/\\s*${role})?\\s*(.*)$`, 's').exec(
    text,
  );
  const [, grantee = '', equals, privileges = '', grantor, rest = ''] = match!;
  if (equals === undefined) throw new ValueError('22P02', `unrecognized key word: "${grantee}"`);
  const letters = privilegeLetters(major);
  if (!new RegExp(`^[${letters}*]*$`).test(privileges)) {
    throw new ValueError('22P02', `invalid mode character: must be one of "${letters}"`);
  }
  if (grantor === '') throw new ValueError('22P02', 'a name must follow the "/" sign');
  if (rest !== '') throw new ValueError('22P02', 'extra garbage at the end of the ACL specification');
  let printed = '';
  for (const letter of letters) {
    if (privileges.includes(letter)) printed += privileges.includes(`${letter}*`) ? `${letter}*` : letter;
  }
  return `${printRole(grantee)}=${printed}/${printRole(grantor ?? 'postgres')}`;
}

function printRole(name: string): string {
  const plain = name.replace(/"((?:[^"]|"")*)"/g, (_, inner: string) => inner.replaceAll('""', '"'));
  return /^\w*$/.test(plain) ? plain : `"${plain.replaceAll('"', '""')}"`;
}

/** Types of which the server takes no values. */
function refusedInput(name: string): PgType['input'] {
  return () => {
    throw new ValueError('0A000', `cannot accept a value of type ${name}`);
  };
}

export const systemTypes = [
  vectorType(22, 'int2vector', 1006, 21, /[^ ]+/g, inputVectorElement),
  builtinType(27, 'tid', 6, 1010, {
    input: inputTid,
    send: (canonical) => concatBytes([int32Bytes(tidParts(canonical)[0]), int16Bytes(tidParts(canonical)[1])]),
    compare: compareTids,
  }),
  vectorType(30, 'oidvector', 1013, 26, /\S+/g, inputOid),
  builtinType(1033, 'aclitem', 12, 1034, { input: inputAclitem }),
  builtinType(2970, 'txid_snapshot', -1, 2949, { input: inputSnapshot, send: sendSnapshot }),
  builtinType(3220, 'pg_lsn', 8, 3221, {
    input: inputLsn,
    send: (canonical) => int64Bytes(lsnValue(canonical)),
    compare: compareLsns,
  }),
  builtinType(3642, 'gtsvector', -1, 3644, { input: refusedInput('gtsvector') }),
  builtinType(5038, 'pg_snapshot', -1, 5039, { input: inputSnapshot, send: sendSnapshot }, 13),
];
