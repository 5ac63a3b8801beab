import type { MessageContext, Relation } from './messages.js';

/** Relations known: then the column count of each row is checked against its Relation. */
export type Relations = ReadonlyMap<number, Relation> | readonly Relation[];

/** What decoding takes into account. Left out: not in a stream; a Stream Abort's length says whether it has LSN and time. */
export interface DecodeContext extends Partial<MessageContext> {
  readonly relations?: Relations;
}

/** What encoding takes into account. Left out: protocol version 1 (or what `streaming` needs), streaming off, not in a stream. */
export interface EncodeContext extends DecodeContext {
  /** The xid of a message in a stream block that has none of its own. Implies `inStream`. */
  readonly xid?: number;
}

/** The relation with this OID, if it is known. */
export function relationOf(relations: Relations, relationId: number): Relation | undefined {
  return 'get' in relations
    ? relations.get(relationId)
    : relations.find((relation) => relation.relationId === relationId);
}
