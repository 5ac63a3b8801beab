/** What pg_type says about types: of the built-in ones as recorded, of user-defined ones derived from their PgType. */
import { type PgType } from '../../postgres/index.js';
import { linesOf, perMajor } from '../system/lines.js';
import { typeLines } from '../system/types.js';

export interface TypeFacts {
  readonly oid: number;
  readonly namespace: string;
  readonly name: string;
  readonly length: number;
  /** typtype: b base, c composite, d domain, e enum, p pseudo, r range, m multirange. */
  readonly kind: string;
  readonly category: string;
  readonly preferred: boolean;
  readonly delimiter: string;
  /** OID of the element type of an array (or int2vector and the like), else 0. */
  readonly element: number;
  /** OID of the array type over it, else 0. */
  readonly array: number;
  /** typrelid of a composite type, else 0. */
  readonly relation: number;
  /** Base type of a domain, else 0. */
  readonly base: number;
  readonly baseModifier: number;
  /** What a range ranges over; of a multirange its range; else 0. */
  readonly rangeOf: number;
  /** Names of its functions. */
  readonly input: string;
  readonly output: string;
  readonly receive: string;
  readonly send: string;
  readonly modifierInput: string;
  readonly modifierOutput: string;
  readonly byValue: boolean;
  readonly align: string;
  readonly storage: string;
  readonly collation: number;
}

export const builtinTypeFacts = perMajor((major) => linesOf(typeLines, major).map(builtin));

function builtin(line: string): TypeFacts {
  const [oid, name, length, kind, category, preferred, delimiter, element, array, ...rest] = line.split(' ');
  const [input, output, receive, send, modifierInput, modifierOutput, byValue, align, storage, rangeOf, collation] =
    rest;
  return {
    oid: Number(oid),
    namespace: 'pg_catalog',
    name: name!,
    length: Number(length),
    kind: kind!,
    category: category!,
    preferred: preferred === 't',
    delimiter: delimiter!,
    element: Number(element),
    array: Number(array),
    relation: 0,
    base: 0,
    baseModifier: -1,
    rangeOf: Number(rangeOf),
    input: input!,
    output: output!,
    receive: receive!,
    send: send!,
    modifierInput: modifierInput!,
    modifierOutput: modifierOutput!,
    byValue: byValue === 't',
    align: align!,
    storage: storage!,
    collation: Number(collation),
  };
}

/** typtype, typcategory and the stem of the function names, by kind. */
const userKinds = {
  base: ['b', 'U', 'text'],
  array: ['b', 'A', 'array_'],
  composite: ['c', 'C', 'record_'],
  domain: ['d', 'U', 'domain_'],
  enum: ['e', 'E', 'enum_'],
  range: ['r', 'R', 'range_'],
  multirange: ['m', 'R', 'multirange_'],
} as const;

const textCollation = 100;

/** @param relation typrelid of a composite type */
export function userTypeFacts(type: PgType, baseFacts: TypeFacts | undefined, relation: number): TypeFacts {
  const [kind, category, stem] = userKinds[type.kind];
  const isDomain = type.kind === 'domain';
  const isEnum = type.kind === 'enum';
  const base = isDomain ? baseFacts : undefined;
  return {
    oid: type.oid,
    namespace: type.namespace,
    name: type.name,
    length: type.length,
    kind,
    category: base?.category ?? category,
    preferred: false,
    delimiter: type.delimiter,
    element: type.kind === 'array' ? (type.element?.oid ?? 0) : 0,
    array: type.arrayOid,
    relation,
    base: isDomain ? (type.element?.oid ?? 0) : 0,
    baseModifier: isDomain ? type.typeModifier : -1,
    rangeOf: type.kind === 'range' || type.kind === 'multirange' ? (type.element?.oid ?? 0) : 0,
    input: `${stem}in`,
    output: base?.output ?? `${stem}out`,
    receive: `${stem}recv`,
    send: base?.send ?? `${stem}send`,
    modifierInput: '-',
    modifierOutput: '-',
    byValue: base?.byValue ?? isEnum,
    align: base?.align ?? (type.kind === 'composite' ? 'd' : 'i'),
    storage: base?.storage ?? (isEnum ? 'p' : 'x'),
    collation: base?.collation ?? (type.kind === 'base' ? textCollation : 0),
  };
}
