/** Writing and reading messages by their layout: one switch each over the kinds of field, side by side. */
import type { Reader } from '../bytes/reader.js';
import type { Writer } from '../bytes/writer.js';
import { relationOf, type DecodeContext, type Relations } from './context.js';
import { layoutOfTag, type Field, type Layout, type Properties } from './layout.js';
import type { Message, OldTuple, ReplicaIdentity } from './messages.js';
import { readColumns, readTuple, writeColumns, writeTuple } from './tuple.js';

const newTupleMarker = 0x4e; // N
const keyMarker = 0x4b; // K
const oldMarker = 0x4f; // O

const replicaIdentities: readonly ReplicaIdentity[] = ['default', 'nothing', 'full', 'index'];

/**
 * Writes what the message has, legal or not: the optional fields are there when the message has them.
 * @param xid for a message that could have one (in a stream block) and has none itself.
 */
export function writeMessage(writer: Writer, layout: Layout, message: Message, xid: number | undefined): void {
  const properties = message as unknown as Properties;
  const { fields } = layout;
  writer.uint8(layout.tag);
  for (let i = 0; i < fields.length; i++) {
    const field = fields[i]!;
    switch (field.kind) {
      case 'streamXid': {
        const ownOrGiven = properties.xid ?? xid;
        if (ownOrGiven !== undefined) writer.int32(ownOrGiven);
        break;
      }
      case 'relationId':
        writer.int32(properties.relationId);
        break;
      case 'oldTuple':
      case 'oldTupleIfAny':
        if (properties.oldTuple !== null) {
          writer.uint8(properties.oldTuple.marker.charCodeAt(0));
          writeTuple(writer, properties.oldTuple.columns, true);
        }
        break;
      case 'newTuple':
        writer.uint8(newTupleMarker);
        writeTuple(writer, properties.newTuple, false);
        break;
      case 'xid':
      case 'oid':
        writer.int32(properties[field.name] as number);
        break;
      case 'lsn':
      case 'time':
        writer.int64(properties[field.name] as bigint);
        break;
      case 'text':
        writer.cstring(properties[field.name] as string);
        break;
      case 'abortLsn':
        if (properties.abortLsn !== undefined) writer.int64(properties.abortLsn);
        break;
      case 'abortTime':
        if (properties.abortTime !== undefined) writer.int64(properties.abortTime);
        break;
      case 'content':
        writer.sizedRaw(properties.content);
        break;
      case 'replicaIdentity':
        writer.uint8(properties.replicaIdentity.charCodeAt(0));
        break;
      case 'columns':
        writeColumns(writer, properties.columns);
        break;
      case 'flags': {
        let flags = 0;
        for (const { name, mask } of field.bits) if (properties[name] === true) flags |= mask;
        writer.uint8(flags);
        break;
      }
      case 'relationCount':
        writer.int32(properties.relationIds.length);
        break;
      case 'relationIds':
        for (const relationId of properties.relationIds) writer.int32(relationId);
        break;
    }
  }
}

/**
 * Reads one message, to the last byte.
 * @throws DecodeError
 */
export function readMessage(reader: Reader, context: DecodeContext): Message {
  const message = readFields(reader, context);
  reader.end();
  return message;
}

/** Reads one message and leaves what follows it. Without a given streaming mode a Stream Abort takes all there is. */
export function readFields(reader: Reader, context: DecodeContext): Message {
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
  return message as unknown as Message;
}

function readField(reader: Reader, field: Field, message: Record<string, unknown>, context: DecodeContext): void {
  const { name } = field;
  switch (field.kind) {
    case 'streamXid':
      if (context.inStream === true) message[name] = reader.uint32();
      break;
    case 'relationId':
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
function columnCount(relations: Relations | undefined, row: Readonly<Record<string, unknown>>): number {
  if (relations === undefined) return -1;
  return relationOf(relations, row['relationId'] as number)?.columns.length ?? -1;
}
