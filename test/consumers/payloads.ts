/**
 * Reads pgoutput payloads, each with a newline behind it, as pg_recvlogical writes them. Written after the
 * manual's message formats and apart from the project's own decoder, so that one can be held against the other.
 */
import { unchanged, type Change, type Row } from './change.js';

interface Relation {
  readonly name: string;
  readonly columns: readonly string[];
}

/** @returns the changes of what was committed, in commit order. Messages outside of transactions stand where they came. */
export function committedChanges(output: Buffer): Change[] {
  return new Session(output).read();
}

class Session {
  #offset = 0;
  #inStream = false;
  readonly #relations = new Map<number, Relation>();
  readonly #committed: Change[] = [];
  /** Changes of the transaction between Begin and Commit. */
  #open: Change[] = [];
  /** Changes of streamed transactions, with their subtransactions' xids, by top-level xid. */
  readonly #streamed = new Map<number, { readonly xid: number; readonly change: Change }[]>();
  #streamXid = 0;

  constructor(readonly bytes: Buffer) {}

  read(): Change[] {
    while (this.#offset < this.bytes.length) {
      this.#message();
      if (this.#byte() !== 0x0a) throw new Error(`no newline behind the message that ends at ${this.#offset - 1}`);
    }
    return this.#committed;
  }

  #message(): void {
    const type = String.fromCharCode(this.#byte());
    switch (type) {
      case 'B':
        this.#skip(8 + 8 + 4);
        this.#open = [];
        return;
      case 'C':
        this.#skip(1 + 8 + 8 + 8);
        this.#committed.push(...this.#open);
        return;
      case 'O':
        this.#skip(8);
        this.#text();
        return;
      case 'S':
        this.#streamXid = this.#int32();
        this.#skip(1);
        this.#inStream = true;
        return;
      case 'E':
        this.#inStream = false;
        return;
      case 'c': {
        const xid = this.#int32();
        this.#skip(1 + 8 + 8 + 8);
        this.#committed.push(...(this.#streamed.get(xid) ?? []).map(({ change }) => change));
        return;
      }
      case 'A': {
        const xid = this.#int32();
        const subxid = this.#int32();
        const left = this.#streamed.get(xid)?.filter((change) => change.xid !== subxid) ?? [];
        this.#streamed.set(xid, xid === subxid ? [] : left);
        return;
      }
      default:
        this.#content(type, this.#inStream ? this.#int32() : 0);
    }
  }

  /** Messages that have an xid in a streamed block. */
  #content(type: string, xid: number): void {
    switch (type) {
      case 'Y':
        this.#skip(4);
        this.#text();
        this.#text();
        return;
      case 'R': {
        const id = this.#int32();
        const name = `${this.#text()}.${this.#text()}`;
        this.#skip(1);
        const columns = Array.from({ length: this.#int16() }, () => {
          this.#skip(1);
          const column = this.#text();
          this.#skip(8);
          return column;
        });
        this.#relations.set(id, { name, columns });
        return;
      }
      case 'I': {
        const relation = this.#relation();
        this.#skip(1);
        return this.#add(xid, { kind: 'insert', table: relation.name, new: this.#row(relation) });
      }
      case 'U': {
        const relation = this.#relation();
        const old = this.#old(relation);
        if (Object.keys(old).length > 0) this.#skip(1);
        return this.#add(xid, { kind: 'update', table: relation.name, ...old, new: this.#row(relation) });
      }
      case 'D': {
        const relation = this.#relation();
        return this.#add(xid, { kind: 'delete', table: relation.name, ...this.#old(relation) });
      }
      case 'T': {
        const count = this.#int32();
        const options = this.#byte();
        const tables = Array.from({ length: count }, () => this.#relation().name);
        const cascade = (options & 1) !== 0;
        return this.#add(xid, { kind: 'truncate', tables, cascade, restartIdentity: (options & 2) !== 0 });
      }
      case 'M': {
        const transactional = this.#byte() === 1;
        this.#skip(8);
        const prefix = this.#text();
        const content = this.#take(this.#int32()).toString('hex');
        const change: Change = { kind: 'message', prefix, content, transactional };
        if (transactional) this.#add(xid, change);
        else this.#committed.push(change);
        return;
      }
      default:
        throw new Error(`no message starts with ${JSON.stringify(type)}, at ${this.#offset - 1}`);
    }
  }

  #add(xid: number, change: Change): void {
    if (!this.#inStream) {
      this.#open.push(change);
      return;
    }
    const changes = this.#streamed.get(this.#streamXid) ?? [];
    this.#streamed.set(this.#streamXid, [...changes, { xid, change }]);
  }

  #relation(): Relation {
    const id = this.#int32();
    const relation = this.#relations.get(id);
    if (!relation) throw new Error(`relation ${id} was not described, at ${this.#offset}`);
    return relation;
  }

  /** The old row, if one stands here; in a key, only the columns that have a value. */
  #old(relation: Relation): { readonly key?: Row; readonly old?: Row } {
    const marker = String.fromCharCode(this.#byte());
    if (marker === 'N') {
      return {};
    }
    const row = this.#row(relation);
    if (marker === 'O') return { old: row };
    if (marker !== 'K') throw new Error(`no tuple is marked ${marker}, at ${this.#offset}`);
    return { key: Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) };
  }

  #row({ columns }: Relation): Row {
    const count = this.#int16();
    if (count !== columns.length) throw new Error(`${count} values for ${columns.length} columns, at ${this.#offset}`);
    return Object.fromEntries(columns.map((name) => [name, this.#value()]));
  }

  #value(): string | null {
    const kind = String.fromCharCode(this.#byte());
    if (kind === 'n') return null;
    if (kind === 'u') return unchanged;
    if (kind !== 't') throw new Error(`a value of kind ${kind}, at ${this.#offset}`);
    return this.#take(this.#int32()).toString();
  }

  #byte(): number {
    return this.bytes.readUInt8(this.#offset++);
  }

  #int16(): number {
    this.#offset += 2;
    return this.bytes.readUInt16BE(this.#offset - 2);
  }

  #int32(): number {
    this.#offset += 4;
    return this.bytes.readUInt32BE(this.#offset - 4);
  }

  #text(): string {
    const end = this.bytes.indexOf(0, this.#offset);
    const text = this.bytes.toString('utf8', this.#offset, end);
    this.#offset = end + 1;
    return text;
  }

  #take(length: number): Buffer {
    this.#offset += length;
    return this.bytes.subarray(this.#offset - length, this.#offset);
  }

  #skip(length: number): void {
    this.#offset += length;
  }
}
