import { Reader } from '../bytes/reader.js';
import { readMessage } from './codec.js';
import type { DecodeContext } from './context.js';
import type { Message } from './messages.js';

/**
 * The message whose bytes these are, to the last one. Nothing in it refers to `bytes`.
 * @throws DecodeError
 */
export function decode(bytes: Uint8Array, context: DecodeContext = {}): Message {
  return readMessage(new Reader(bytes), context);
}
