/**
 * pgoutput messages: their types, builders, encoder and decoder. Pure: no I/O, no dependency, runs in browsers and workers.
 */
export { DecodeError } from '../bytes/decode-error.js';
export { Writer } from '../bytes/writer.js';
export { formatLsn, parseLsn } from '../values/lsn.js';
export type { DecodeContext, EncodeContext, Relations } from './context.js';
export { decode } from './decode.js';
export { createDecoder, type Decoder } from './decoder.js';
export { EncodeError } from './encode-error.js';
export { encode, encodeInto, encodeUnchecked } from './encode.js';
export { messageFromJson, messageToJson, type JsonValue } from './json.js';
export * from './messages.js';
