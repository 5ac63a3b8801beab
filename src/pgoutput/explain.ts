/** The bytes of a message, field by field, each with its place, its value and what it means: for annotated hex dumps. */
import { DecodeError } from '../bytes/decode-error.js';
import { Reader } from '../bytes/reader.js';
import { formatHex } from '../values/hex.js';
import { formatLsn } from '../values/lsn.js';
import { formatTimestamp } from '../values/timestamp.js';
import { relationOf, type DecodeContext } from './context.js';
import { decode } from './decode.js';
import { fieldMeaning } from './field-meaning.js';
import { layoutOfTag, type Field, type Layout } from './layout.js';
import type { Relation } from './messages.js';

/** A field of a message, by its bytes. */
export interface ExplainedField {
  /** Of its first byte, in the message. */
  readonly offset: number;
  /** In bytes. */
  readonly length: number;
  /** `commitLsn`, `newTuple[2].length`, `columns[0].name`. */
  readonly path: string;
  /** As one writes it: a number, a letter, an LSN, a time, text, hexadecimal. */
  readonly value: string | number;
  /** What it says, in words. */
  readonly meaning: string;
}

/** A message, field by field. */
export interface Explanation {
  /** In the order of the bytes, without gaps, up to where they stop making sense. */
  readonly fields: readonly ExplainedField[];
  /** What `decode` says about these bytes, when it refuses them. */
  readonly error: DecodeError | null;
}

/**
 * The bytes of a message, field by field. Nothing is thrown: what `decode` refuses is `error`, after the fields before it.
 * @param context as for `decode`; with `relations`, columns are called by their names
 */
export function explain(bytes: Uint8Array, context: DecodeContext = {}): Explanation {
  const error = errorOf(() => decode(bytes, context));
  const walk = new Walk(bytes, context);
  errorOf(() => walk.message());
  const { fields } = walk;
  return { fields: error === null ? fields : fields.filter(({ offset }) => offset < error.offset), error };
}

function errorOf(action: () => unknown): DecodeError | null {
  try {
    action();
    return null;
  } catch (error) {
    if (error instanceof DecodeError) return error;
    throw error;
  }
}

/** Goes over the bytes as `decode` does, but leaves it to `decode` to find mistakes. */
class Walk {
  readonly fields: ExplainedField[] = [];
  private readonly reader: Reader;
  private relation: Relation | undefined;

  constructor(
    bytes: Uint8Array,
    private readonly context: DecodeContext,
  ) {
    this.reader = new Reader(bytes);
  }

  message(): void {
    const layout = layoutOfTag(this.reader.uint8());
    if (layout === undefined) return;
    this.add('type', 0, String.fromCharCode(layout.tag), layout.kind);
    for (const field of layout.fields) this.field(layout, field);
  }

  private field({ kind: message }: Layout, { name, kind, bits }: Field): void {
    const { reader, context } = this;
    const start = reader.offset;
    const meaning = fieldMeaning(message, name);
    switch (kind) {
      case 'streamXid':
        if (context.inStream === true) this.add(name, start, reader.uint32(), meaning);
        break;
      case 'xid':
      case 'oid':
        this.add(name, start, reader.uint32(), meaning);
        break;
      case 'relationId': {
        const relationId = reader.uint32();
        this.relation = relationOf(context.relations ?? [], relationId);
        this.add(name, start, relationId, this.relation === undefined ? meaning : `${meaning}: ${this.relation.name}`);
        break;
      }
      case 'abortLsn':
      case 'abortTime':
        if (context.streaming === undefined ? reader.remaining === 0 : context.streaming !== 'parallel') break;
        if (kind === 'abortLsn') this.add(name, start, formatLsn(reader.uint64()), meaning);
        else this.add(name, start, formatTimestamp(reader.int64()), meaning);
        break;
      case 'lsn':
        this.add(name, start, formatLsn(reader.uint64()), meaning);
        break;
      case 'time':
        this.add(name, start, formatTimestamp(reader.int64()), meaning);
        break;
      case 'text':
        this.add(name, start, reader.cstring(), meaning);
        break;
      case 'content':
        this.sized(name, meaning, 'binary');
        break;
      case 'replicaIdentity':
        this.add(name, start, String.fromCharCode(reader.uint8()), meaning);
        break;
      case 'columns':
        this.columns(name);
        break;
      case 'newTuple':
      case 'oldTuple':
        this.tuple(name);
        break;
      case 'oldTupleIfAny': {
        const marker = reader.uint8();
        reader.offset = start;
        if (marker !== 0x4e) this.tuple(name); // N
        break;
      }
      case 'flags': {
        const flags = reader.uint8();
        const set = bits.filter(({ mask }) => (flags & mask) !== 0).map((bit) => bit.name);
        this.add(name, start, flags, set.length === 0 ? 'none set' : set.join(', '));
        break;
      }
      case 'relationCount':
        this.add(name, start, reader.count32(), meaning);
        break;
      case 'relationIds':
        for (let i = 0; reader.remaining > 0; i++) this.add(`${name}[${i}]`, reader.offset, reader.uint32(), meaning);
        break;
    }
  }

  private tuple(path: string): void {
    const { reader } = this;
    const marker = String.fromCharCode(reader.uint8());
    this.add(`${path}.marker`, reader.offset - 1, marker, tupleMarkers[marker] ?? '');
    const count = reader.count16();
    this.add(`${path}.count`, reader.offset - 2, count, 'columns');
    for (let i = 0; i < count; i++) {
      const column = `${path}[${i}]`;
      const kind = String.fromCharCode(reader.uint8());
      const name = this.relation?.columns[i]?.name;
      const words = cellKinds[kind] ?? '';
      this.add(`${column}.kind`, reader.offset - 1, kind, name === undefined ? words : `${name}: ${words}`);
      if (kind === 't' || kind === 'b') this.sized(column, name ?? 'value', kind === 't' ? 'text' : 'binary');
    }
  }

  private columns(path: string): void {
    const { reader } = this;
    const count = reader.count16();
    this.add(`${path}.count`, reader.offset - 2, count, 'columns');
    for (let i = 0; i < count; i++) {
      const column = `${path}[${i}]`;
      const flags = reader.uint8();
      this.add(`${column}.flags`, reader.offset - 1, flags, flags === 1 ? 'key' : 'none set');
      const start = reader.offset;
      this.add(`${column}.name`, start, reader.cstring(), 'column');
      this.add(`${column}.typeOid`, reader.offset, reader.uint32(), 'OID of its type');
      this.add(`${column}.typeModifier`, reader.offset, reader.int32(), 'atttypmod, -1 for none');
    }
  }

  /** A length and as many bytes. */
  private sized(path: string, meaning: string, form: 'text' | 'binary'): void {
    const { reader } = this;
    const length = reader.count32();
    this.add(`${path}.length`, reader.offset - 4, length, 'bytes');
    const start = reader.offset;
    if (length > 0)
      this.add(path, start, form === 'text' ? reader.text(length) : formatHex(reader.raw(length)), meaning);
  }

  /** What was just read, from `offset` on. */
  private add(path: string, offset: number, value: string | number, meaning: string): void {
    this.fields.push({ offset, length: this.reader.offset - offset, path, value, meaning });
  }
}

const tupleMarkers: Readonly<Record<string, string>> = {
  K: 'old values of the replica identity',
  O: 'old row',
  N: 'new row',
};

const cellKinds: Readonly<Record<string, string>> = {
  n: 'NULL',
  u: 'unchanged, stored out of line',
  t: 'text form',
  b: 'binary form',
};
