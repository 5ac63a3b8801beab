/** A subscriber that keeps tables: applies plain transactions at once, streamed and prepared ones when they are committed. */
import { unchanged, type Cell, type Message, type Relation, type Tuple } from '../../src/pgoutput/messages.js';

import type { Table } from '../../src/timeline/catalog.js';

type Row = Map<string, string | null>;
/** Relations count as soon as they come, so those of a prepared transaction are kept with its changes. */
type Prepared = { readonly message: Message; readonly relations: ReadonlyMap<number, Relation> | undefined }[];
type Held = { readonly xid: number; readonly message: Message };

export class ApplyingClient {
  readonly #relations = new Map<number, Relation>();
  readonly #tables = new Map<number, Row[]>();
  /** Streamed transactions by top-level xid. */
  readonly #streams = new Map<number, Held[]>();
  readonly #prepared = new Map<string, Prepared>();
  /** Where changes go that are not applied yet. */
  #holding: Prepared | null = null;
  #stream: number | null = null;

  /** The initial copy. */
  copy(table: Table, rows: readonly (readonly (string | null)[])[]): void {
    const names = table.columns.map((column) => column.name);
    this.#tables.set(
      table.oid,
      rows.map((row) => new Map(row.map((value, i) => [names[i]!, value]))),
    );
  }

  receive(message: Message): void {
    switch (message.kind) {
      case 'streamStart':
        this.#stream = message.xid;
        if (message.firstSegment) this.#streams.set(message.xid, []);
        break;
      case 'streamStop':
        this.#stream = null;
        break;
      case 'streamAbort':
        if (message.subxid === message.xid) this.#streams.delete(message.xid);
        else {
          const kept = this.#streams.get(message.xid)!.filter(({ xid }) => xid !== message.subxid);
          this.#streams.set(message.xid, kept);
        }
        break;
      case 'streamCommit':
        this.#takeStream(message.xid).forEach((held) => this.#apply(held));
        break;
      case 'streamPrepare':
        this.#prepared.set(
          message.gid,
          this.#takeStream(message.xid).map((held) => ({ message: held, relations: undefined })),
        );
        break;
      case 'beginPrepare':
        this.#holding = [];
        break;
      case 'prepare':
        this.#prepared.set(message.gid, this.#holding!);
        this.#holding = null;
        break;
      case 'commitPrepared':
        this.#prepared.get(message.gid)!.forEach((held) => this.#apply(held.message, held.relations));
        this.#prepared.delete(message.gid);
        break;
      case 'rollbackPrepared':
        this.#prepared.delete(message.gid);
        break;
      default:
        if (this.#stream !== null)
          this.#streams.get(this.#stream)!.push({ xid: (message as { xid?: number }).xid!, message });
        else if (this.#holding !== null && message.kind !== 'relation') {
          this.#holding.push({ message, relations: new Map(this.#relations) });
        } else this.#apply(message);
    }
  }

  /** The rows of a table as JSON, sorted; columns that a row has from before they were added are NULL. */
  rows(relationId: number, columns: readonly string[]): string[] {
    return (this.#tables.get(relationId) ?? [])
      .map((row) => JSON.stringify(columns.map((column) => row.get(column) ?? null)))
      .sort();
  }

  #takeStream(xid: number): Message[] {
    const held = this.#streams.get(xid)!;
    this.#streams.delete(xid);
    return held.map(({ message }) => message);
  }

  #apply(message: Message, relations: ReadonlyMap<number, Relation> = this.#relations): void {
    switch (message.kind) {
      case 'relation':
        this.#relations.set(message.relationId, message);
        break;
      case 'insert':
        this.#rowsOf(message.relationId).push(this.#row(relations, message.relationId, message.newTuple));
        break;
      case 'update': {
        const { relationId, oldTuple, newTuple } = message;
        const row = this.#find(relations, relationId, oldTuple?.columns ?? newTuple);
        for (const [name, value] of this.#values(relations, relationId, newTuple))
          if (value !== unchanged) row.set(name, text(value));
        break;
      }
      case 'delete': {
        const rows = this.#rowsOf(message.relationId);
        rows.splice(rows.indexOf(this.#find(relations, message.relationId, message.oldTuple.columns)), 1);
        break;
      }
      case 'truncate':
        for (const relationId of message.relationIds) this.#tables.set(relationId, []);
        break;
      default:
    }
  }

  #rowsOf(relationId: number): Row[] {
    let rows = this.#tables.get(relationId);
    if (rows === undefined) this.#tables.set(relationId, (rows = []));
    return rows;
  }

  #values(relations: ReadonlyMap<number, Relation>, relationId: number, tuple: Tuple): [string, Cell][] {
    const { columns } = relations.get(relationId)!;
    if (columns.length !== tuple.length) throw new Error(`${tuple.length} values for ${columns.length} columns`);
    return tuple.map((cell, i) => [columns[i]!.name, cell]);
  }

  #row(relations: ReadonlyMap<number, Relation>, relationId: number, tuple: Tuple): Row {
    return new Map(
      this.#values(relations, relationId, tuple).map(([name, cell]) => {
        if (cell === unchanged) throw new Error(`an Insert leaves ${name} out`);
        return [name, text(cell)];
      }),
    );
  }

  /** By the columns that Relation flags. */
  #find(relations: ReadonlyMap<number, Relation>, relationId: number, tuple: Tuple): Row {
    const relation = relations.get(relationId)!;
    const wanted = this.#values(relations, relationId, tuple).filter((_, i) => relation.columns[i]!.key);
    const found = this.#rowsOf(relationId).find((row) =>
      wanted.every(([name, cell]) => (row.get(name) ?? null) === text(cell)),
    );
    if (found === undefined) throw new Error(`no row of ${relation.name} has ${JSON.stringify(wanted)}`);
    return found;
  }
}

/** The tables of the property have int4 and text columns only. */
function text(cell: Cell): string | null {
  if (typeof cell === 'string' || cell === null) return cell;
  if (cell === unchanged) throw new Error('an old tuple leaves a value out');
  const bytes = Buffer.from(cell);
  return bytes.length === 4 && bytes[0] === 0 ? String(bytes.readInt32BE()) : bytes.toString();
}
