/** What the texts of a message can hold. Looked into only when the writer noticed something (`Writer.badTexts`). */
import { isWellFormed } from '../bytes/writer.js';
import type { Properties } from './codec.js';
import { EncodeError } from './encode-error.js';
import { layouts } from './layout.js';
import type { Message, OldTuple, RelationColumn, Tuple } from './messages.js';

/** @throws EncodeError for the first text of the message that no server could send. */
export function checkTexts(message: Message): void {
  for (const { name, kind } of layouts[message.kind].fields) {
    const value = (message as unknown as Properties)[name];
    switch (kind) {
      case 'text':
        checkCharacters(message, name, value);
        break;
      case 'newTuple':
        (value as Tuple).forEach((cell, index) => checkCharacters(message, `${name}[${index}]`, cell));
        break;
      case 'oldTuple':
      case 'oldTupleIfAny':
        (value as OldTuple | null)?.columns.forEach((cell, index) =>
          checkCharacters(message, `${name}[${index}]`, cell),
        );
        break;
      case 'columns':
        (value as readonly RelationColumn[]).forEach((column, index) =>
          checkCharacters(message, `${name}[${index}].name`, column.name),
        );
        break;
      default:
        break;
    }
  }
}

function checkCharacters(message: Message, field: string, text: unknown): void {
  if (typeof text !== 'string') return;
  if (text.includes('\0')) throw new EncodeError(message.kind, field, 'has a NUL, which no text of a server can');
  if (!isWellFormed(text))
    throw new EncodeError(message.kind, field, 'has half of a surrogate pair, which UTF-8 cannot carry');
}
