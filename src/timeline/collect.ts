/**
 * Captured messages → what they say about the database: the tables and types, as Relations and Types describe them, and
 * what must be known of a whole capture before its first transaction can be told (see `Survey`).
 */
import type { Message, Relation, ReplicaIdentity } from '../pgoutput/messages.js';
import { firstGeneratedOid } from '../values/oid.js';

/** One message as a client got it. */
export interface CapturedMessage {
  readonly message: Message;
  /** XLogData's position; null where the capture does not tell. 0n for Relation, Type and what goes out with Origin. */
  readonly lsn: bigint | null;
}

/** A table as its Relation, and the Types before it, describe it. */
export interface SeenTable {
  readonly oid: number;
  readonly namespace: string;
  readonly name: string;
  readonly replicaIdentity: ReplicaIdentity;
  readonly columns: readonly SeenColumn[];
}
export interface SeenColumn {
  readonly key: boolean;
  readonly name: string;
  readonly typeOid: number;
  readonly typeModifier: number;
  /** From the Type message; null for types that every server has. */
  readonly typeName: { readonly namespace: string; readonly name: string } | null;
}

/** The capture cannot be told as a scenario. */
export class CollectError extends Error {
  constructor(
    message: string,
    /** 0-based number of the message to blame. */
    readonly index: number,
  ) {
    super(message);
    this.name = 'CollectError';
  }
}

/** Follows Relations and Types. */
export class SeenTables {
  readonly #types = new Map<number, { readonly namespace: string; readonly name: string }>();
  readonly #tables: Map<number, SeenTable>;

  /** @param tables - known already: what is no other version of them comes back as the same object */
  constructor(tables: Iterable<SeenTable> = []) {
    this.#tables = new Map([...tables].map((table) => [table.oid, table]));
  }

  /** The last version of a table. */
  get(oid: number): SeenTable | undefined {
    return this.#tables.get(oid);
  }

  /** @returns the table of a Relation; null for other messages */
  follow(message: Message, index: number): SeenTable | null {
    if (message.kind === 'type') {
      this.#types.set(message.typeOid, { namespace: message.namespace || 'pg_catalog', name: message.name });
      return null;
    }
    if (message.kind !== 'relation') return null;
    const table = this.#tableOf(message, index);
    const before = this.#tables.get(table.oid);
    if (before !== undefined && isSameTable(before, table)) return before;
    this.#tables.set(table.oid, table);
    return table;
  }

  #tableOf({ relationId, namespace, name, replicaIdentity, columns }: Relation, index: number): SeenTable {
    return {
      oid: relationId,
      namespace: namespace || 'pg_catalog',
      name,
      replicaIdentity,
      columns: columns.map((column) => {
        const typeName = column.typeOid < firstGeneratedOid ? null : this.#types.get(column.typeOid);
        if (typeName !== undefined) return { ...column, typeName };
        const what = `column "${column.name}" of table ${namespace}.${name} is of type ${column.typeOid}`;
        throw new CollectError(`${what}, whose Type message is not in the capture`, index);
      }),
    };
  }
}

/** OIDs of tables that a message is about. */
export function relationsOf(message: Message): readonly number[] {
  switch (message.kind) {
    case 'insert':
    case 'update':
    case 'delete':
      return [message.relationId];
    case 'truncate':
      return message.relationIds;
    default:
      return [];
  }
}

function isSameTable(a: SeenTable, b: SeenTable): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
