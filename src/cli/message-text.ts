/** Messages as lines to read, not to parse: for `tail` and `decode --pretty`. */
import { styleText } from 'node:util';
import { unchanged, type Cell, type Message, type OldTuple, type Relation, type Tuple } from '../pgoutput/messages.js';
import { formatLsn } from '../values/lsn.js';
import { formatTimestamp } from '../values/timestamp.js';

type Style = 'dim' | 'green' | 'yellow' | 'red' | 'bold';

export class MessagePrinter {
  readonly #relations = new Map<number, Relation>();

  constructor(readonly color: boolean) {}

  /** One line, without its end. Rows are printed with their columns' names, which come from Relations printed before. */
  print(message: Message): string {
    switch (message.kind) {
      case 'begin':
        return `${this.#bold('BEGIN')} ${message.xid}, committed ${formatTimestamp(message.commitTime)}`;
      case 'commit':
        return `${this.#bold('COMMIT')} at ${formatLsn(message.commitLsn)}, ends at ${formatLsn(message.endLsn)}`;
      case 'origin':
        return `  ORIGIN ${message.name} at ${formatLsn(message.commitLsn)}`;
      case 'relation':
        this.#relations.set(message.relationId, message);
        return this.#style('dim', `  RELATION ${relationText(message)}`);
      case 'type':
        return this.#style('dim', `  TYPE ${qualifiedName(message)}, OID ${message.typeOid}`);
      case 'insert':
        return `  ${this.#style('green', 'INSERT')} ${this.#name(message.relationId)} ${this.#row(message.relationId, message.newTuple)}`;
      case 'update':
        return `  ${this.#style('yellow', 'UPDATE')} ${this.#name(message.relationId)} ${this.#update(message.relationId, message.oldTuple, message.newTuple)}`;
      case 'delete':
        return `  ${this.#style('red', 'DELETE')} ${this.#name(message.relationId)} ${this.#old(message.relationId, message.oldTuple)}`;
      case 'truncate': {
        const options = `${message.cascade ? ' cascade' : ''}${message.restartIdentity ? ' restart identity' : ''}`;
        return `  ${this.#style('red', 'TRUNCATE')} ${message.relationIds.map((id) => this.#name(id)).join(', ')}${options}`;
      }
      case 'message':
        return `${message.transactional ? '  ' : ''}MESSAGE ${JSON.stringify(message.prefix)} ${contentText(message.content)}`;
      case 'streamStart':
        return `${this.#bold('STREAM START')} ${message.xid}${message.firstSegment ? ', first block' : ''}`;
      case 'streamStop':
        return this.#bold('STREAM STOP');
      case 'streamCommit':
        return `${this.#bold('STREAM COMMIT')} ${message.xid} at ${formatLsn(message.commitLsn)}, ends at ${formatLsn(message.endLsn)}`;
      case 'streamAbort':
        return `${this.#bold('STREAM ABORT')} ${message.xid}${message.subxid === message.xid ? '' : `, its subtransaction ${message.subxid}`}`;
      case 'beginPrepare':
        return `${this.#bold('BEGIN PREPARE')} ${message.xid} ${JSON.stringify(message.gid)}`;
      case 'prepare':
        return `${this.#bold('PREPARE')} ${message.xid} ${JSON.stringify(message.gid)}, ends at ${formatLsn(message.endLsn)}`;
      case 'streamPrepare':
        return `${this.#bold('STREAM PREPARE')} ${message.xid} ${JSON.stringify(message.gid)}, ends at ${formatLsn(message.endLsn)}`;
      case 'commitPrepared':
        return `${this.#bold('COMMIT PREPARED')} ${message.xid} ${JSON.stringify(message.gid)}, ends at ${formatLsn(message.endLsn)}`;
      case 'rollbackPrepared':
        return `${this.#bold('ROLLBACK PREPARED')} ${message.xid} ${JSON.stringify(message.gid)}, ends at ${formatLsn(message.rollbackEndLsn)}`;
    }
  }

  #name(relationId: number): string {
    const relation = this.#relations.get(relationId);
    return relation ? qualifiedName(relation) : String(relationId);
  }

  #update(relationId: number, old: OldTuple | null, row: Tuple): string {
    return `${old ? `${this.#old(relationId, old)} → ` : ''}${this.#row(relationId, row)}`;
  }

  #old(relationId: number, { marker, columns }: OldTuple): string {
    return `${marker === 'K' ? 'key' : 'old'} (${this.#row(relationId, columns, marker === 'K')})`;
  }

  /** In a key, columns that do not belong to it are NULL on the wire: they are left out. */
  #row(relationId: number, tuple: Tuple, isKey = false): string {
    const columns = this.#relations.get(relationId)?.columns;
    const cells: string[] = [];
    tuple.forEach((cell, index) => {
      if (isKey && cell === null) return;
      cells.push(`${columns?.[index]?.name ?? `$${index + 1}`}=${cellText(cell)}`);
    });
    return cells.join(' ');
  }

  #bold(text: string): string {
    return this.#style('bold', text);
  }

  #style(style: Style, text: string): string {
    return this.color ? styleText(style, text) : text;
  }
}

function qualifiedName({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace || 'pg_catalog'}.${name}`;
}

function relationText(relation: Relation): string {
  const columns = relation.columns.map(({ name, key }) => (key ? `${name}*` : name)).join(', ');
  return `${qualifiedName(relation)} (${columns}), OID ${relation.relationId}, replica identity ${relation.replicaIdentity}`;
}

function cellText(cell: Cell): string {
  if (cell === null) return 'null';
  if (cell === unchanged) return '(unchanged)';
  if (typeof cell !== 'string') return `\\x${Buffer.from(cell).toString('hex')}`;
  return /^[^\s"'\\(),=]+$/.test(cell) && cell !== 'null' ? cell : JSON.stringify(cell);
}

/** Text where the bytes are printable UTF-8, else hexadecimal. */
function contentText(content: Uint8Array): string {
  const bytes = Buffer.from(content);
  const text = bytes.toString();
  return bytes.equals(Buffer.from(text)) && !/\p{Cc}/u.test(text)
    ? JSON.stringify(text)
    : `\\x${bytes.toString('hex')}`;
}
