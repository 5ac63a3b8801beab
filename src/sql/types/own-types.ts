/** Types that no table column has but query results do: what their input, output and send functions do. */
import { definePgType, sendArray, typeByOid, ValueError, type PgType } from '../../postgres/index.js';
import { typeOids } from './type-oids.js';

const utf8 = new TextEncoder();
const asText = (text: string): string => text;
const sendText = (canonical: string): Uint8Array => utf8.encode(canonical);
const sendNothing = (): Uint8Array => new Uint8Array(0);

function sendOid(canonical: string): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, Number(canonical));
  return bytes;
}

function refuse(type: string): () => never {
  return () => {
    throw new ValueError('0A000', `cannot accept a value of type ${type}`);
  };
}

/** int2vector and oidvector: arrays from 0. */
function vector(oid: number, name: string, elementOid: number): PgType {
  const element = typeByOid(elementOid)!;
  return definePgType({
    oid,
    name,
    length: -1,
    element,
    input: (text, typeModifier, major) => {
      const words = text.trim().split(/\s+/).filter(Boolean);
      return words.map((word) => element.input(word, typeModifier, major)).join(' ');
    },
    send: (canonical, settings) => {
      const elements = canonical === '' ? [] : canonical.split(' ');
      const parts = { lengths: [elements.length], lowerBounds: [0], elements };
      return sendArray(parts, elementOid, (value) => element.send!(value, settings));
    },
  });
}

const own: readonly PgType[] = [
  vector(typeOids.int2vector, 'int2vector', typeOids.int2),
  vector(typeOids.oidvector, 'oidvector', typeOids.oid),
  definePgType({ oid: typeOids.regproc, name: 'regproc', length: 4, input: asText }),
  definePgType({ oid: typeOids.void, name: 'void', length: 4, input: () => '', send: sendNothing }),
  definePgType({ oid: typeOids.unknown, name: 'unknown', length: -2, input: asText, send: sendText }),
  definePgType({ oid: typeOids.cstring, name: 'cstring', length: -2, input: asText, send: sendText }),
  definePgType({ oid: typeOids.record, name: 'record', length: -1, input: refuse('record') }),
  definePgType({
    oid: typeOids.pgNodeTree,
    name: 'pg_node_tree',
    length: -1,
    input: refuse('pg_node_tree'),
    send: sendText,
  }),
  definePgType({ oid: typeOids.aclitem, name: 'aclitem', length: 12, input: asText }),
];

const ownByOid = new Map(own.map((type) => [type.oid, type]));

/** regclass, regtype …: inside a statement their values are OIDs in decimal; they become names where they leave it. */
export function objectIdentifierType(oid: number, name: string): PgType {
  return definePgType({ oid, name, length: 4, input: asText, send: sendOid });
}

/** A built-in type by OID; undefined where nothing is known of its values. */
export function builtinType(oid: number): PgType | undefined {
  return typeByOid(oid) ?? ownByOid.get(oid);
}
