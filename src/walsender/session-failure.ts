/** How a connection ends that cannot go on. */
import { BadFrameLength } from '../protocol/deframer.js';
import { largeMessageLimit } from '../protocol/limits.js';
import { ServerCrash } from '../protocol/pgoutput-options.js';
import { WireError } from '../values/wire-error.js';

/** What ends a real server's connection without a word. Only the limit that is our own is spoken of. */
export function endsSilently(thrown: unknown): thrown is Error {
  if (thrown instanceof BadFrameLength) return thrown.limit !== largeMessageLimit || thrown.declared <= thrown.limit;
  return thrown instanceof ServerCrash;
}

/** The error as one after which the connection is over. */
export function asFatal({ severity, code, message, detail, hint, where }: WireError): WireError {
  return new WireError({
    severity: severity === 'ERROR' ? 'FATAL' : severity,
    code,
    message,
    ...(detail !== undefined && { detail }),
    ...(hint !== undefined && { hint }),
    ...(where !== undefined && { where }),
  });
}

/** What the client is told. @param onInternal it is nobody's fault but this program's */
export function asWireError(thrown: unknown, onInternal: () => void): WireError {
  if (thrown instanceof WireError) return thrown;
  if (thrown instanceof BadFrameLength) {
    return new WireError({ severity: 'FATAL', code: '54000', message: thrown.message });
  }
  onInternal();
  const detail = thrown instanceof Error ? thrown.message : String(thrown);
  return new WireError({ code: 'XX000', message: `fake-walsender failed: ${detail}` });
}
