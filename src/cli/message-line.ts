/** Messages as JSON lines: what `encode` and `decode` print, and `tail --json`. */
import type { Message } from '../pgoutput/messages.js';
import { messageToJson } from '../pgoutput/json.js';

/**
 * One line, without its end, for one XLogData.
 * @param lsn and `end`: its header's; null when only the payload is known.
 * @param xid the top-level transaction's; 0 outside one.
 */
export function messageLine(
  lsn: string | null,
  end: string | null,
  xid: number,
  payload: Uint8Array,
  message: Message,
): string {
  const hex = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength).toString('hex');
  return JSON.stringify({
    lsn,
    end,
    xid: xid === 0 ? null : xid,
    kind: message.kind,
    hex,
    message: messageToJson(message),
  });
}
