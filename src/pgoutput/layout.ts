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
  /** Int32, unsigned: the xid of a row, Relation, Type, Truncate or Message; there only between Stream Start and Stream Stop. */
  streamXid: number | undefined;
  /** Int32, unsigned. */
  xid: number;
  oid: number;
  /** Int64, unsigned. */
  lsn: bigint;
  /** Int64, signed: microseconds since 2000-01-01 00:00:00 UTC. */
  time: bigint;
  /** As lsn and time; there only with streaming 'parallel'. */
  abortLsn: bigint | undefined;
  abortTime: bigint | undefined;
  /** UTF-8 and a NUL. */
  text: string;
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
  /** The same, or nothing at all. */
  oldTupleIfAny: OldTuple | null;
  /** As many Int32, unsigned, as the field `relationCount` before them (an Int32) says. */
  relationIds: readonly number[];
}

/** `flags`: one byte; its bits are booleans of the message. `relationCount`: see relationIds. Neither is a property. */
export type FieldKind = keyof FieldValues | 'flags' | 'relationCount';

const declarations = {
  begin: { tag: 'B', fields: { finalLsn: 'lsn', commitTime: 'time', xid: 'xid' } },
  commit: { tag: 'C', fields: { flags: {}, commitLsn: 'lsn', endLsn: 'lsn', commitTime: 'time' } },
  origin: { tag: 'O', fields: { commitLsn: 'lsn', name: 'text' } },
  relation: {
    tag: 'R',
    fields: {
      xid: 'streamXid',
      relationId: 'oid',
      namespace: 'text',
      name: 'text',
      replicaIdentity: 'replicaIdentity',
      columns: 'columns',
    },
  },
  type: { tag: 'Y', fields: { xid: 'streamXid', typeOid: 'oid', namespace: 'text', name: 'text' } },
  insert: { tag: 'I', fields: { xid: 'streamXid', relationId: 'oid', newTuple: 'newTuple' } },
  update: {
    tag: 'U',
    fields: { xid: 'streamXid', relationId: 'oid', oldTuple: 'oldTupleIfAny', newTuple: 'newTuple' },
  },
  delete: { tag: 'D', fields: { xid: 'streamXid', relationId: 'oid', oldTuple: 'oldTuple' } },
  truncate: {
    tag: 'T',
    fields: {
      xid: 'streamXid',
      relationCount: 'relationCount',
      flags: { cascade: 1, restartIdentity: 2 },
      relationIds: 'relationIds',
    },
  },
  message: {
    tag: 'M',
    fields: { xid: 'streamXid', flags: { transactional: 1 }, lsn: 'lsn', prefix: 'text', content: 'content' },
  },
  streamStart: { tag: 'S', fields: { xid: 'xid', flags: { firstSegment: 1 } } },
  streamStop: { tag: 'E', fields: {} },
  streamCommit: { tag: 'c', fields: { xid: 'xid', flags: {}, commitLsn: 'lsn', endLsn: 'lsn', commitTime: 'time' } },
  streamAbort: { tag: 'A', fields: { xid: 'xid', subxid: 'xid', abortLsn: 'abortLsn', abortTime: 'abortTime' } },
  beginPrepare: {
    tag: 'b',
    fields: { prepareLsn: 'lsn', endLsn: 'lsn', prepareTime: 'time', xid: 'xid', gid: 'text' },
  },
  prepare: {
    tag: 'P',
    fields: { flags: {}, prepareLsn: 'lsn', endLsn: 'lsn', prepareTime: 'time', xid: 'xid', gid: 'text' },
  },
  commitPrepared: {
    tag: 'K',
    fields: { flags: {}, commitLsn: 'lsn', endLsn: 'lsn', commitTime: 'time', xid: 'xid', gid: 'text' },
  },
  rollbackPrepared: {
    tag: 'r',
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
    fields: { flags: {}, prepareLsn: 'lsn', endLsn: 'lsn', prepareTime: 'time', xid: 'xid', gid: 'text' },
  },
} as const satisfies { [K in MessageKind]: Declaration<Extract<Message, { kind: K }>> };

interface Declaration<M> {
  readonly tag: string;
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
  /** In wire order. */
  readonly fields: readonly Field[];
}

export const layouts = Object.fromEntries(
  Object.entries(declarations).map(([kind, declaration]) => [kind, layoutOf(kind as MessageKind, declaration)]),
) as Readonly<Record<MessageKind, Layout>>;

const layoutsByTag: (Layout | undefined)[] = Array.from({ length: 256 });
for (const layout of Object.values(layouts)) layoutsByTag[layout.tag] = layout;

export function layoutOfTag(tag: number): Layout | undefined {
  return layoutsByTag[tag];
}

function layoutOf(kind: MessageKind, declaration: { readonly tag: string; readonly fields: object }): Layout {
  const fields = Object.entries(declaration.fields) as [string, FieldKind | Record<string, number>][];
  return {
    kind,
    tag: declaration.tag.charCodeAt(0),
    fields: fields.map(([name, field]) =>
      typeof field === 'string'
        ? { name, kind: field, bits: [] }
        : { name, kind: 'flags', bits: Object.entries(field).map(([bit, mask]) => ({ name: bit, mask })) },
    ),
  };
}
