import { Reader } from '../bytes/reader.js';
import { readMessage } from './codec.js';
import type { DecodeContext } from './context.js';
import type { Message } from './messages.js';

/**
 * The message whose bytes these are, to the last one. Nothing in it refers to `bytes`.
 * @throws DecodeError
 */
export function decode(bytes: Uint8Array, context: DecodeContext = {}): Message {
  checkBytes(bytes);
  return readMessage(new Reader(bytes), context);
}

/** @throws TypeError for what JavaScript callers may take for bytes. */
export function checkBytes(bytes: unknown): void {
  if (ArrayBuffer.isView(bytes)) return;
  const found = typeof bytes === 'string' ? "a string (Buffer.from(text, 'hex') makes bytes of hex)" : typeof bytes;
  throw new TypeError(`the message must be a Uint8Array, is ${found}`);
}
