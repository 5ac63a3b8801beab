/**
 * The 19 messages declared once: which fields follow each other in the bytes, after the type byte. The interfaces of
 * messages.ts say what a message is to a program; that this table and they agree is checked by the compiler (a field
 * too many, too few or of another type does not compile).
 */
import type { Message, MessageKind, OldTuple, RelationColumn, ReplicaIdentity, Tuple } from './messages.js';

/**
 * How a field lies in the bytes: the kinds of field, and what each is in a message. The set is closed: writing, reading,
 * checking, explaining and JSON have one switch each over it.
 */
interface FieldValues {
  /** Int32, unsigned. */
  xid: number;
  oid: number;
  /** Int64, unsigned. */
  lsn: bigint;
  /** Int64, signed: microseconds since 2000-01-01 00:00:00 UTC. */
  time: bigint;
  /** UTF-8 and a NUL. */
  text: string;
  /** The property `xid` of what may stand in a stream block: Int32, unsigned, there only between Stream Start and Stop. */
  streamXid: number | undefined;

  // These belong to the property of the same name alone.

  /** Int32, unsigned. */
  relationId: number;
  /** Int64, as lsn and time; there only with streaming 'parallel'. */
  abortLsn: bigint | undefined;
  abortTime: bigint | undefined;
  /** Int32 length and as many bytes. */
  content: Uint8Array;
  /** One letter: d, n, f or i. */
  replicaIdentity: ReplicaIdentity;
  /** Int16 count; of each: flags (1: key), name (UTF-8 and a NUL), Int32 type OID, Int32 type modifier. */
  columns: readonly RelationColumn[];
  /** `N` and a tuple. A tuple: Int16 count; of each column `n`, `u`, or `t` or `b` with Int32 length and as many bytes. */
  newTuple: Tuple;
  /** `K` or `O` and a tuple. */
  oldTuple: OldTuple;
  /** The property `oldTuple` too, where there may be none: the same, or nothing at all. */
  oldTupleIfAny: OldTuple | null;
  /** As many Int32, unsigned, as the field `relationCount` before them (an Int32) says. */
  relationIds: readonly number[];
}

/** `flags`: one byte; its bits are booleans of the message. `relationCount`: see relationIds. Neither is a property. */
export type FieldKind = keyof FieldValues | 'flags' | 'relationCount';

/**
 * Where a message stands. `change`: outside of stream blocks, or in one and then with an xid; `outside`: never in a block;
 * `streamed`: around or after blocks; `anywhere`: Origin, without an xid even in a block.
 */
export type Place = 'change' | 'outside' | 'streamed' | 'anywhere';

const declarations = {
  begin: { tag: 'B', place: 'outside', fields: { finalLsn: 'lsn', commitTime: 'time', xid: 'xid' } },
  commit: { tag: 'C', place: 'outside', fields: { flags: {}, commitLsn: 'lsn', endLsn: 'lsn', commitTime: 'time' } },
  origin: { tag: 'O', place: 'anywhere', fields: { commitLsn: 'lsn', name: 'text' } },
  relation: {
    tag: 'R',
    place: 'change',
    fields: {
      xid: 'streamXid',
      relationId: 'relationId',
      namespace: 'text',
      name: 'text',
      replicaIdentity: 'replicaIdentity',
      columns: 'columns',
    },
  },
  type: { tag: 'Y', place: 'change', fields: { xid: 'streamXid', typeOid: 'oid', namespace: 'text', name: 'text' } },
  insert: { tag: 'I', place: 'change', fields: { xid: 'streamXid', relationId: 'relationId', newTuple: 'newTuple' } },
  update: {
    tag: 'U',
    place: 'change',
    fields: { xid: 'streamXid', relationId: 'relationId', oldTuple: 'oldTupleIfAny', newTuple: 'newTuple' },
  },
  delete: { tag: 'D', place: 'change', fields: { xid: 'streamXid', relationId: 'relationId', oldTuple: 'oldTuple' } },
  truncate: {
    tag: 'T',
    place: 'change',
    fields: {
      xid: 'streamXid',
      relationCount: 'relationCount',
      flags: { cascade: 1, restartIdentity: 2 },
      relationIds: 'relationIds',
    },
  },
  message: {
    tag: 'M',
    place: 'change',
    fields: { xid: 'streamXid', flags: { transactional: 1 }, lsn: 'lsn', prefix: 'text', content: 'content' },
  },
  streamStart: { tag: 'S', place: 'streamed', fields: { xid: 'xid', flags: { firstSegment: 1 } } },
  streamStop: { tag: 'E', place: 'streamed', fields: {} },
  streamCommit: {
    tag: 'c',
    place: 'streamed',
    fields: { xid: 'xid', flags: {}, commitLsn: 'lsn', endLsn: 'lsn', commitTime: 'time' },
  },
  streamAbort: {
    tag: 'A',
    place: 'streamed',
    fields: { xid: 'xid', subxid: 'xid', abortLsn: 'abortLsn', abortTime: 'abortTime' },
  },
  beginPrepare: {
    tag: 'b',
    place: 'outside',
    fields: { prepareLsn: 'lsn', endLsn: 'lsn', prepareTime: 'time', xid: 'xid', gid: 'text' },
  },
  prepare: {
    tag: 'P',
    place: 'outside',
    fields: { flags: {}, prepareLsn: 'lsn', endLsn: 'lsn', prepareTime: 'time', xid: 'xid', gid: 'text' },
  },
  commitPrepared: {
    tag: 'K',
    place: 'outside',
    fields: { flags: {}, commitLsn: 'lsn', endLsn: 'lsn', commitTime: 'time', xid: 'xid', gid: 'text' },
  },
  rollbackPrepared: {
    tag: 'r',
    place: 'outside',
    fields: {
      flags: {},
      prepareEndLsn: 'lsn',
      rollbackEndLsn: 'lsn',
      prepareTime: 'time',
      rollbackTime: 'time',
      xid: 'xid',
      gid: 'text',
    },
  },
  streamPrepare: {
    tag: 'p',
    place: 'streamed',
    fields: { flags: {}, prepareLsn: 'lsn', endLsn: 'lsn', prepareTime: 'time', xid: 'xid', gid: 'text' },
  },
} as const satisfies { [K in MessageKind]: Declaration<Extract<Message, { kind: K }>> };

interface Declaration<M> {
  readonly tag: string;
  readonly place: Place;
  /** In wire order. */
  readonly fields: { readonly [P in Exclude<keyof M, 'kind' | Flag<M>>]-?: KindOf<M[P]> } & {
    readonly flags?: Readonly<Record<Flag<M>, number>>;
    readonly relationCount?: 'relationCount';
  } & ([Flag<M>] extends [never] ? unknown : { readonly flags: unknown });
}

/** Names of the boolean properties, which are bits of the flags. */
type Flag<M> = { [P in keyof M]-?: M[P] extends boolean ? P : never }[keyof M];

/** The kinds of field that hold exactly a V. */
type KindOf<V> = {
  [K in keyof FieldValues]: [V, FieldValues[K]] extends [FieldValues[K], V] ? K : never;
}[keyof FieldValues];

/** A message as the switches over kinds of field see it. A property with a name of its own is found faster than by `field.name`. */
export interface Properties {
  readonly [name: string]: unknown;
  readonly xid?: number;
  readonly relationId: number;
  readonly newTuple: Tuple;
  readonly oldTuple: OldTuple | null;
  readonly abortLsn?: bigint;
  readonly abortTime?: bigint;
  readonly content: Uint8Array;
  readonly replicaIdentity: ReplicaIdentity;
  readonly columns: readonly RelationColumn[];
  readonly relationIds: readonly number[];
}

export interface FlagBit {
  readonly name: string;
  readonly mask: number;
}

export interface Field {
  /** The message's property, or `flags`, or `relationCount`. */
  readonly name: string;
  readonly kind: FieldKind;
  /** Of flags: all others must be 0. */
  readonly bits: readonly FlagBit[];
}

export interface Layout {
  readonly kind: MessageKind;
  /** The type byte. */
  readonly tag: number;
  readonly place: Place;
  /** In wire order. */
  readonly fields: readonly Field[];
}

export const layouts: readonly Layout[] = Object.entries(declarations).map(([kind, { tag, place, fields }]) => ({
  kind: kind as MessageKind,
  tag: tag.charCodeAt(0),
  place,
  fields: fieldsOf(fields),
}));

const layoutsByKind: ReadonlyMap<string, Layout> = new Map(layouts.map((layout) => [layout.kind, layout]));
const layoutsByTag: ReadonlyMap<number, Layout> = new Map(layouts.map((layout) => [layout.tag, layout]));

/** Undefined for what is no message's kind; so that JavaScript callers can be told. */
export function layoutOfKind(kind: MessageKind): Layout | undefined {
  return layoutsByKind.get(kind);
}

export function layoutOfTag(tag: number): Layout | undefined {
  return layoutsByTag.get(tag);
}

function fieldsOf(declared: object): Field[] {
  return (Object.entries(declared) as [string, FieldKind | Record<string, number>][]).map(([name, field]) =>
    typeof field === 'string'
      ? { name, kind: field, bits: [] }
      : { name, kind: 'flags', bits: Object.entries(field).map(([bit, mask]) => ({ name: bit, mask })) },
  );
}
