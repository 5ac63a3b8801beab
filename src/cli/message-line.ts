/** Messages as JSON lines: what `encode` and `decode` print, and `tail --json`. */
import type { Message } from '../pgoutput/messages.js';
import { messageToJson } from '../pgoutput/json.js';

/**
 * One line, without its end, for one XLogData.
 * @param lsn and `end`: its header's; null when only the payload is known.
 * @param xid the top-level transaction's; null outside one.
 */
export function messageLine(
  lsn: string | null,
  end: string | null,
  xid: number | null,
  payload: Uint8Array,
  message: Message,
): string {
  return JSON.stringify({ lsn, end, xid, kind: message.kind, hex: hex(payload), message: messageToJson(message) });
}

export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}
