/**
 * Which texts, and values of rows, a message can hold. There are too many of them to look at each twice: the writer looks
 * while it writes and counts what is suspicious (`Writer.badValues`), and only then is it looked for here.
 */
import { isWellFormed } from '../bytes/writer.js';
import { EncodeError } from './encode-error.js';
import { refuse } from './field-legality.js';
import type { Layout, Properties } from './layout.js';
import { unchanged, type Message, type MessageKind, type Tuple } from './messages.js';

/** @throws EncodeError for the first text or value of the message that no server could send. */
export function checkValues(layout: Layout, message: Message): void {
  const properties = message as unknown as Properties;
  for (const { name, kind } of layout.fields) {
    switch (kind) {
      case 'text':
        checkText(message.kind, name, properties[name] as string);
        break;
      case 'newTuple':
        checkTuple(message.kind, name, properties.newTuple, false);
        break;
      case 'oldTuple':
      case 'oldTupleIfAny':
        if (properties.oldTuple !== null) checkTuple(message.kind, name, properties.oldTuple.columns, true);
        break;
      case 'columns':
        properties.columns.forEach((column, i) => checkText(message.kind, `${name}[${i}].name`, column.name));
        break;
      default:
        break;
    }
  }
}

function checkTuple(kind: MessageKind, field: string, tuple: Tuple, isOld: boolean): void {
  tuple.forEach((cell, i) => {
    if (typeof cell === 'string') checkText(kind, `${field}[${i}]`, cell);
    else if (isOld && cell === unchanged)
      throw new EncodeError(kind, `${field}[${i}]`, 'is unchanged, which no old value can be');
    else if (cell !== null && cell !== unchanged && !(cell instanceof Uint8Array)) {
      refuse(kind, `${field}[${i}]`, 'a string, a Uint8Array, null or unchanged', cell);
    }
  });
}

function checkText(kind: MessageKind, field: string, text: string): void {
  if (text.includes('\0')) throw new EncodeError(kind, field, 'has a NUL, which no text of a server can');
  if (!isWellFormed(text)) throw new EncodeError(kind, field, 'has half of a surrogate pair, which UTF-8 cannot carry');
}
