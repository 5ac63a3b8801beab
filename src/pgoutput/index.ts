/**
 * pgoutput messages: their types, builders, encoder and decoder. Pure: no I/O, no dependency, runs in browsers and workers.
 */
export { DecodeError } from '../bytes/decode-error.js';
export { Writer } from '../bytes/writer.js';
export { formatLsn, parseLsn } from '../values/lsn.js';
export { formatTimestamp, parseTimestamp } from '../values/timestamp.js';
export type { BinaryForm, CellValue } from './cell-value.js';
export type { ColumnType, ColumnTypeName } from './column-types.js';
export type { DecodeContext, EncodeContext, Relations } from './context.js';
export { decode } from './decode.js';
export { createDecoder, type Decoder } from './decoder.js';
export { EncodeError } from './encode-error.js';
export { encode, encodeInto, encodeUnchecked } from './encode.js';
export { explain, type ExplainedField, type Explanation } from './explain.js';
export { messageFromJson, messageToJson, type JsonValue } from './json.js';
export {
  begin,
  beginPrepare,
  commit,
  commitPrepared,
  message,
  origin,
  prepare,
  rollbackPrepared,
  streamAbort,
  streamCommit,
  streamPrepare,
  streamStart,
  streamStop,
  type,
  type Input,
  type LsnInput,
  type TimeInput,
} from './message-builders.js';
export * from './messages.js';
export {
  relation,
  type AnyRow,
  type ColumnSpec,
  type RelationSpec,
  type RowOf,
  type TypedRelation,
} from './relation-handle.js';
export {
  delete_ as delete,
  insert,
  truncate,
  update,
  type ChangeOptions,
  type DeleteSpec,
  type NewRow,
  type TruncateOptions,
  type UpdateSpec,
} from './row-builders.js';
