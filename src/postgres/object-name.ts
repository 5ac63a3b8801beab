/** regclass, regtype and their kind: an object's OID, shown as its name. Here it is the name that is kept. */
import { int32Bytes } from './big-endian.js';
import { invalidSyntax, trimSpace } from './input-error.js';
import { quoteIdentifier } from './identifier.js';
import { builtinType, ValueError, type PgType } from './pg-type.js';
import { sqlNameOf, typnameOf } from './sql-type-name.js';

/** What the servers of all majors have, of the objects that stand in tables most. */
const knownObjects: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  regclass: { pg_type: 1247, pg_attribute: 1249, pg_proc: 1255, pg_class: 1259, pg_database: 1262, pg_namespace: 2615 },
  regnamespace: { pg_catalog: 11, pg_toast: 99, public: 2200 },
  regrole: { postgres: 10 },
  regconfig: { simple: 3748 },
  regdictionary: { simple: 3765 },
  regcollation: { '"default"': 100, '"C"': 950, '"POSIX"': 951 },
};

const missingObjects: Readonly<Record<string, readonly [sqlState: string, kind: string]>> = {
  regproc: ['42883', 'function'],
  regprocedure: ['42883', 'function'],
  regoper: ['42883', 'operator'],
  regoperator: ['42883', 'operator'],
  regclass: ['42P01', 'relation'],
  regtype: ['42704', 'type'],
  regconfig: ['42704', 'text search configuration'],
  regdictionary: ['42704', 'text search dictionary'],
  regnamespace: ['3F000', 'schema'],
  regrole: ['42704', 'role'],
  regcollation: ['42704', 'collation'],
};

const identifier = '(?:"(?:[^"]|"")+"|[\\p{L}_][\\p{L}\\p{N}_$]*)';
const qualifiedForm = new RegExp(`^(?:(${identifier})\\s*\\.\\s*)?(${identifier})((?:\\s*\\(.*\\))?)$`, 'su');

/** As its output function prints it: without the schema where that is searched, in quotes where they are needed. */
function inputName(typeName: string): PgType['input'] {
  return (text) => {
    const trimmed = trimSpace(text);
    if (/^\d+$/.test(trimmed)) return nameOfOid(typeName, Number(trimmed));
    if (trimmed === '-' || typeName === 'regoper' || typeName === 'regoperator') return trimmed;
    const match = qualifiedForm.exec(trimmed);
    if (match === null) throw new ValueError('42602', 'invalid name syntax');
    const [, namespace, name = '', signature = ''] = match;
    const schema = namespace === undefined ? undefined : unquote(namespace);
    const shown = quoteIdentifier(unquote(name)) + signature;
    return schema === undefined || schema === 'pg_catalog' || schema === 'public'
      ? shown
      : `${quoteIdentifier(schema)}.${shown}`;
  };
}

/** A number stays one where the object is not known. */
function nameOfOid(typeName: string, oid: number): string {
  if (oid === 0) return '-';
  const known = Object.entries(knownObjects[typeName] ?? {}).find(([, number]) => number === oid);
  return known?.[0] ?? String(oid);
}

function unquote(word: string): string {
  return word.startsWith('"') ? word.slice(1, -1).replaceAll('""', '"') : word.toLowerCase();
}

function sendOid(typeName: string): PgType['send'] {
  return (canonical, settings) => {
    if (/^\d+$/.test(canonical)) return int32Bytes(Number(canonical));
    if (canonical === '-') return int32Bytes(0);
    const oid = settings.oidOf?.(typeName, canonical) ?? knownObjects[typeName]?.[canonical];
    if (oid === undefined) {
      const [sqlState, kind] = missingObjects[typeName]!;
      throw new ValueError(sqlState, `${kind} "${canonical}" does not exist`);
    }
    return int32Bytes(oid);
  };
}

/** @param typeByName the built-in types, for regtype */
export function objectNameTypes(typeByName: (name: string) => PgType | undefined): PgType[] {
  const builtin = (sqlName: string): PgType | undefined => {
    const [, name = '', brackets = ''] = /^(.*?)(\[\])?$/s.exec(sqlName)!;
    return typeByName((brackets === '' ? '' : '_') + typnameOf(name));
  };
  const inputType = inputName('regtype');
  const sendType = sendOid('regtype');
  const regtype = builtinType(2206, 'regtype', 4, 2211, {
    input: (text, typeModifier, major) => {
      const trimmed = trimSpace(text);
      const type = builtin(trimmed.toLowerCase().replace(/^pg_catalog\./, ''));
      if (type !== undefined)
        return type.kind === 'array' ? `${sqlNameOf(type.element!.name)}[]` : sqlNameOf(type.name);
      if (trimmed.endsWith('[]')) throw invalidSyntax('regtype', text);
      return inputType(text, typeModifier, major);
    },
    send: (canonical, settings) => {
      const type = builtin(canonical);
      return type === undefined ? sendType!(canonical, settings) : int32Bytes(type.oid);
    },
  });
  const others = (
    [
      [24, 'regproc', 1008],
      [2202, 'regprocedure', 2207],
      [2203, 'regoper', 2208],
      [2204, 'regoperator', 2209],
      [2205, 'regclass', 2210],
      [3734, 'regconfig', 3735],
      [3769, 'regdictionary', 3770],
      [4089, 'regnamespace', 4090],
      [4096, 'regrole', 4097],
      [4191, 'regcollation', 4192, 13],
    ] as const
  ).map(([oid, name, arrayOid, since]) => {
    return builtinType(oid, name, 4, arrayOid, { input: inputName(name), send: sendOid(name) }, since);
  });
  return [regtype, ...others];
}
