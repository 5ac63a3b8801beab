/** The annotated dump for machines: one JSON object a message. */
import { formatHex } from '../values/hex.js';
import { formatLsn } from '../values/lsn.js';
import type { ExplainedMessage } from './explained-message.js';

export function explainedToJson({
  number,
  message,
  subject,
  lsn,
  xid,
  source,
  place,
  bytes,
  fields,
  error,
}: ExplainedMessage) {
  return {
    number,
    kind: message?.kind ?? null,
    subject,
    lsn: lsn === null ? null : formatLsn(lsn),
    xid,
    source,
    place,
    hex: formatHex(bytes),
    fields,
    error: error && { field: error.field, offset: error.offset, expected: error.expected, found: error.found },
  };
}
