/** Writing and reading messages by their layout: one switch each over the kinds of field, side by side. */
import type { Reader } from '../bytes/reader.js';
import type { Writer } from '../bytes/writer.js';
import { relationOf, type DecodeContext, type Relations } from './context.js';
import { layoutOfTag, layouts, type Field } from './layout.js';
import type { Message, OldTuple, RelationColumn, ReplicaIdentity, Tuple } from './messages.js';
import { readColumns, readTuple, writeColumns, writeTuple } from './tuple.js';

/** A message seen as the table sees it: properties by name. */
export type Properties = Readonly<Record<string, unknown>>;

const newTupleMarker = 0x4e; // N
const keyMarker = 0x4b; // K
const oldMarker = 0x4f; // O

const replicaIdentities: readonly ReplicaIdentity[] = ['default', 'nothing', 'full', 'index'];

/**
 * Writes what the message has, legal or not: the optional fields are there when the message has them.
 * @param xid for a message that could have one (in a stream block) and has none itself.
 */
export function writeMessage(writer: Writer, message: Message, xid: number | undefined): void {
  const { tag, fields } = layouts[message.kind];
  const properties = message as unknown as Properties;
  writer.uint8(tag);
  for (let i = 0; i < fields.length; i++) writeField(writer, fields[i]!, properties, xid);
}

function writeField(writer: Writer, field: Field, message: Properties, contextXid: number | undefined): void {
  const value = message[field.name];
  switch (field.kind) {
    case 'streamXid': {
      const xid = value ?? contextXid;
      if (xid !== undefined) writer.int32(xid as number);
      break;
    }
    case 'xid':
    case 'oid':
      writer.int32(value as number);
      break;
    case 'oldTuple':
    case 'oldTupleIfAny':
      if (value !== null) {
        writer.uint8((value as OldTuple).marker.charCodeAt(0));
        writeTuple(writer, (value as OldTuple).columns);
      }
      break;
    case 'newTuple':
      writer.uint8(newTupleMarker);
      writeTuple(writer, value as Tuple);
      break;
    case 'lsn':
    case 'time':
      writer.int64(value as bigint);
      break;
    case 'abortLsn':
    case 'abortTime':
      if (value !== undefined) writer.int64(value as bigint);
      break;
    case 'text':
      writer.cstring(value as string);
      break;
    case 'content':
      writer.sizedRaw(value as Uint8Array);
      break;
    case 'replicaIdentity':
      writer.uint8((value as string).charCodeAt(0));
      break;
    case 'columns':
      writeColumns(writer, value as readonly RelationColumn[]);
      break;
    case 'flags': {
      let flags = 0;
      for (const bit of field.bits) if (message[bit.name] === true) flags |= bit.mask;
      writer.uint8(flags);
      break;
    }
    case 'relationCount':
      writer.int32((message['relationIds'] as readonly number[]).length);
      break;
    case 'relationIds':
      for (const relationId of value as readonly number[]) writer.int32(relationId);
      break;
  }
}

/**
 * Reads one message, to the last byte.
 * @throws DecodeError
 */
export function readMessage(reader: Reader, context: DecodeContext): Message {
  const tag = reader.uint8('the type of a message');
  const layout = layoutOfTag(tag);
  if (layout === undefined) return reader.failAtByte('the type of a message', tag);
  reader.messageKind = layout.kind;
  const message: Record<string, unknown> = { kind: layout.kind };
  for (const field of layout.fields) {
    reader.field = field.name;
    readField(reader, field, message, context);
  }
  reader.field = null;
  reader.end();
  return message as unknown as Message;
}

function readField(reader: Reader, field: Field, message: Record<string, unknown>, context: DecodeContext): void {
  const { name } = field;
  switch (field.kind) {
    case 'streamXid':
      if (context.inStream === true) message[name] = reader.uint32();
      break;
    case 'xid':
    case 'oid':
      message[name] = reader.uint32();
      break;
    case 'oldTuple':
    case 'oldTupleIfAny': {
      const marker = reader.uint8(field.kind === 'oldTuple' ? 'K or O' : 'K, O or N');
      if (marker === newTupleMarker && field.kind === 'oldTupleIfAny') {
        message[name] = null;
        reader.offset--;
      } else if (marker === keyMarker || marker === oldMarker) {
        const columns = readTuple(reader, true, columnCount(context.relations, message));
        message[name] = { marker: marker === keyMarker ? 'K' : 'O', columns } satisfies OldTuple;
      } else {
        reader.failAtByte(field.kind === 'oldTuple' ? 'K or O' : 'K, O or N', marker);
      }
      break;
    }
    case 'newTuple': {
      const marker = reader.uint8('N');
      if (marker !== newTupleMarker) reader.failAtByte('N', marker);
      message[name] = readTuple(reader, false, columnCount(context.relations, message));
      break;
    }
    case 'lsn':
      message[name] = reader.uint64();
      break;
    case 'time':
      message[name] = reader.int64();
      break;
    case 'abortLsn':
      if (hasAbortTail(reader, context)) message[name] = reader.uint64();
      break;
    case 'abortTime':
      if (message['abortLsn'] !== undefined) message[name] = reader.int64();
      break;
    case 'text':
      message[name] = reader.cstring();
      break;
    case 'content':
      message[name] = reader.raw(reader.count32());
      break;
    case 'replicaIdentity': {
      const letter = reader.uint8('d, n, f or i');
      const identity = replicaIdentities.find((candidate) => candidate.charCodeAt(0) === letter);
      message[name] = identity ?? reader.failAtByte('d, n, f or i', letter);
      break;
    }
    case 'columns':
      message[name] = readColumns(reader);
      break;
    case 'flags': {
      const flags = reader.uint8('flags');
      let known = 0;
      for (const bit of field.bits) {
        message[bit.name] = (flags & bit.mask) !== 0;
        known |= bit.mask;
      }
      if ((flags & ~known) !== 0) reader.failAtByte(`no flags but ${known}`, flags);
      break;
    }
    case 'relationCount':
      message['relationIds'] = new Array<number>(reader.count32(4)).fill(0);
      break;
    case 'relationIds': {
      const relationIds = message[name] as number[];
      for (let i = 0; i < relationIds.length; i++) {
        reader.index = i;
        relationIds[i] = reader.uint32();
      }
      reader.index = -1;
      break;
    }
  }
}

/** Without a given streaming mode, whatever is left of a Stream Abort is its LSN and time. */
function hasAbortTail(reader: Reader, context: DecodeContext): boolean {
  return context.streaming === undefined ? reader.remaining > 0 : context.streaming === 'parallel';
}

/** How many columns a row must have; -1 when its relation is not known. */
function columnCount(relations: Relations | undefined, row: Properties): number {
  if (relations === undefined) return -1;
  return relationOf(relations, row['relationId'] as number)?.columns.length ?? -1;
}
