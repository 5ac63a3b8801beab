/** Payloads of one session, in order → messages with every field explained. */
import { DecodeError } from '../bytes/decode-error.js';
import type { DecodeContext } from '../pgoutput/context.js';
import { createDecoder, type Decoder } from '../pgoutput/decoder.js';
import { explain, type ExplainedField } from '../pgoutput/explain.js';
import type { Message, Streaming } from '../pgoutput/messages.js';
import { TransactionTracker } from '../pgoutput/transaction-tracker.js';
import { formatType, typeByOid } from '../postgres/index.js';
import type { SourcePosition } from '../timeline/timeline.js';
import type { ExplainedMessage } from './explained-message.js';
import { headerLength, xlogDataHeader } from './xlogdata-header.js';

export interface ExplainerOptions {
  /** The first payload stands inside a streamed block. */
  readonly inStream?: boolean;
  /** What was negotiated; left out, the length of a Stream Abort tells. */
  readonly streaming?: Streaming;
  /** Explain XLogData's header too, where the position is known. */
  readonly header?: boolean;
}

export interface Payload {
  readonly bytes: Uint8Array;
  /** XLogData's start and end. */
  readonly lsn?: bigint | undefined;
  /** XLogData's send time, microseconds since 2000. */
  readonly time?: bigint;
  readonly source?: SourcePosition | null;
  readonly place?: string;
}

/** Remembers Relations, stream blocks and transactions. After bytes that are no message it goes on with the next. */
export class Explainer {
  readonly #decoder: Decoder;
  readonly #tracker = new TransactionTracker();
  readonly #streaming: Streaming | undefined;
  readonly #header: boolean;
  /** Names of types that Type messages have told, by OID. */
  readonly #types = new Map<number, string>();
  #number = 0;

  constructor({ inStream = false, streaming, header = false }: ExplainerOptions = {}) {
    this.#streaming = streaming;
    this.#header = header;
    this.#decoder = createDecoder({ inStream, ...this.#negotiated });
  }

  next(payload: Payload): ExplainedMessage {
    const { lsn, time, source = null, place = null } = payload;
    const { inStream, relations } = this.#decoder;
    const known = explain(payload.bytes, { inStream, relations, ...this.#negotiated }).fields;
    const { message, error } = this.#decode(payload.bytes);
    const fields = message?.kind === 'relation' ? this.#withTypes(known) : known;
    if (message?.kind === 'type') this.#types.set(message.typeOid, qualified(message));
    const xid = message === null ? null : this.#tracker.follow(message);
    const about = { number: ++this.#number, message, lsn: lsn ?? null, xid, source, place, error };
    const subject = message === null ? '' : subjectOf(message, relations);
    if (!this.#header || lsn === undefined || time === undefined)
      return { ...about, subject, bytes: payload.bytes, fields };
    const header = xlogDataHeader(lsn, time);
    const bytes = new Uint8Array(headerLength + payload.bytes.length);
    bytes.set(header.bytes);
    bytes.set(payload.bytes, headerLength);
    const moved = fields.map((field) => ({ ...field, offset: field.offset + headerLength }));
    return { ...about, subject, bytes, fields: [...header.fields, ...moved] };
  }

  get #negotiated(): DecodeContext {
    return this.#streaming === undefined ? {} : { streaming: this.#streaming };
  }

  /** Names the types of a Relation's columns. */
  #withTypes(fields: readonly ExplainedField[]): ExplainedField[] {
    let oid = 0;
    return fields.map((field) => {
      const { path, value, meaning } = field;
      if (typeof value !== 'number') return field;
      if (path.endsWith('.typeOid')) {
        oid = value;
        const type = typeByOid(oid);
        const name = type === undefined ? this.#types.get(oid) : formatType(type, -1);
        return name === undefined ? field : { ...field, meaning: `${meaning}: ${name}` };
      }
      const type = path.endsWith('.typeModifier') && value >= 0 ? typeByOid(oid) : undefined;
      return type === undefined ? field : { ...field, meaning: `atttypmod: ${formatType(type, value)}` };
    });
  }

  /** For a message that cannot come at this place, too, there is an error. */
  #decode(bytes: Uint8Array): { message: Message | null; error: DecodeError | null } {
    try {
      return { message: this.#decoder.decode(bytes), error: null };
    } catch (error) {
      if (error instanceof DecodeError) return { message: null, error };
      throw error;
    }
  }
}

function subjectOf(message: Message, relations: Decoder['relations']): string {
  switch (message.kind) {
    case 'relation':
    case 'type':
      return qualified(message);
    case 'insert':
    case 'update':
    case 'delete':
      return relationName(message.relationId, relations);
    case 'truncate':
      return message.relationIds.map((id) => relationName(id, relations)).join(', ');
    case 'origin':
      return message.name;
    case 'message':
      return message.prefix;
    case 'beginPrepare':
    case 'prepare':
    case 'commitPrepared':
    case 'rollbackPrepared':
    case 'streamPrepare':
      return message.gid;
    case 'streamAbort':
      return message.subxid === message.xid ? '' : `subtransaction ${message.subxid}`;
    default:
      return '';
  }
}

function relationName(relationId: number, relations: Decoder['relations']): string {
  const relation = relations.get(relationId);
  return relation === undefined ? `relation ${relationId}` : qualified(relation);
}

function qualified({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace === '' ? 'pg_catalog' : namespace}.${name}`;
}
