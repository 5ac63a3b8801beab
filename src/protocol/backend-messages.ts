/** Writes the messages a server sends (manual: "Message Formats"), one function each, into a buffer that is sent later. */
import type { Writer } from '../bytes/writer.js';
import type { WireError } from '../values/wire-error.js';

/** Type bytes. */
const type = {
  authentication: 0x52,
  backendKeyData: 0x4b,
  bindComplete: 0x32,
  closeComplete: 0x33,
  commandComplete: 0x43,
  copyBothResponse: 0x57,
  copyData: 0x64,
  copyDone: 0x63,
  copyOutResponse: 0x48,
  dataRow: 0x44,
  emptyQueryResponse: 0x49,
  errorResponse: 0x45,
  negotiateProtocolVersion: 0x76,
  noData: 0x6e,
  noticeResponse: 0x4e,
  parameterDescription: 0x74,
  parameterStatus: 0x53,
  parseComplete: 0x31,
  portalSuspended: 0x73,
  readyForQuery: 0x5a,
  rowDescription: 0x54,
} as const;

/** A result column. `format`: 0 text, 1 binary. */
export interface ResultField {
  readonly name: string;
  readonly tableOid: number;
  readonly attnum: number;
  readonly typeOid: number;
  readonly typeLength: number;
  readonly typeModifier: number;
  readonly format: number;
}

function empty(writer: Writer, typeByte: number): void {
  writer.uint8(typeByte);
  writer.int32(4);
}

function begin(writer: Writer, typeByte: number): number {
  writer.uint8(typeByte);
  return writer.startBlock();
}

export function authenticationOk(writer: Writer): void {
  authentication(writer, 0);
}

export function authenticationCleartextPassword(writer: Writer): void {
  authentication(writer, 3);
}

export function authenticationMd5Password(writer: Writer, salt: Uint8Array): void {
  authentication(writer, 5, salt);
}

export function authenticationKerberosV5(writer: Writer): void {
  authentication(writer, 2);
}

export function authenticationGss(writer: Writer): void {
  authentication(writer, 7);
}

export function authenticationSspi(writer: Writer): void {
  authentication(writer, 9);
}

export function authenticationSasl(writer: Writer, mechanisms: readonly string[]): void {
  const block = begin(writer, type.authentication);
  writer.int32(10);
  for (const mechanism of mechanisms) writer.cstring(mechanism);
  writer.uint8(0);
  writer.endBlock(block);
}

export function authenticationSaslContinue(writer: Writer, data: string): void {
  authentication(writer, 11, Buffer.from(data));
}

export function authenticationSaslFinal(writer: Writer, data: string): void {
  authentication(writer, 12, Buffer.from(data));
}

function authentication(writer: Writer, code: number, data?: Uint8Array): void {
  const block = begin(writer, type.authentication);
  writer.int32(code);
  if (data) writer.raw(data);
  writer.endBlock(block);
}

/** @param version as in a StartupMessage: major << 16 | minor */
export function negotiateProtocolVersion(writer: Writer, version: number, unrecognized: readonly string[]): void {
  const block = begin(writer, type.negotiateProtocolVersion);
  writer.int32(version);
  writer.int32(unrecognized.length);
  for (const name of unrecognized) writer.cstring(name);
  writer.endBlock(block);
}

export function parameterStatus(writer: Writer, name: string, value: string): void {
  const block = begin(writer, type.parameterStatus);
  writer.cstring(name);
  writer.cstring(value);
  writer.endBlock(block);
}

export function backendKeyData(writer: Writer, pid: number, key: Uint8Array): void {
  const block = begin(writer, type.backendKeyData);
  writer.int32(pid);
  writer.raw(key);
  writer.endBlock(block);
}

export function readyForQuery(writer: Writer, status: 'I' | 'T' | 'E'): void {
  writer.uint8(type.readyForQuery);
  writer.int32(5);
  writer.uint8(status.charCodeAt(0));
}

export function rowDescription(writer: Writer, fields: readonly ResultField[]): void {
  const block = begin(writer, type.rowDescription);
  writer.int16(fields.length);
  for (const field of fields) {
    writer.cstring(field.name);
    writer.int32(field.tableOid);
    writer.int16(field.attnum);
    writer.int32(field.typeOid);
    writer.int16(field.typeLength);
    writer.int32(field.typeModifier);
    writer.int16(field.format);
  }
  writer.endBlock(block);
}

export function dataRow(writer: Writer, values: readonly (string | Uint8Array | null)[]): void {
  const block = begin(writer, type.dataRow);
  writer.int16(values.length);
  for (const value of values) {
    if (value === null) writer.int32(-1);
    else if (typeof value === 'string') writer.sizedText(value);
    else writer.sizedRaw(value);
  }
  writer.endBlock(block);
}

export function commandComplete(writer: Writer, tag: string): void {
  const block = begin(writer, type.commandComplete);
  writer.cstring(tag);
  writer.endBlock(block);
}

export function emptyQueryResponse(writer: Writer): void {
  empty(writer, type.emptyQueryResponse);
}

export function parseComplete(writer: Writer): void {
  empty(writer, type.parseComplete);
}

export function bindComplete(writer: Writer): void {
  empty(writer, type.bindComplete);
}

export function closeComplete(writer: Writer): void {
  empty(writer, type.closeComplete);
}

export function portalSuspended(writer: Writer): void {
  empty(writer, type.portalSuspended);
}

export function noData(writer: Writer): void {
  empty(writer, type.noData);
}

export function parameterDescription(writer: Writer, typeOids: readonly number[]): void {
  const block = begin(writer, type.parameterDescription);
  writer.int16(typeOids.length);
  for (const oid of typeOids) writer.int32(oid);
  writer.endBlock(block);
}

/** Format 0, no columns: what a walsender sends. */
export function copyBothResponse(writer: Writer): void {
  writer.uint8(type.copyBothResponse);
  writer.int32(7);
  writer.uint8(0);
  writer.int16(0);
}

export function copyOutResponse(writer: Writer, format: 0 | 1, columns: number): void {
  const block = begin(writer, type.copyOutResponse);
  writer.uint8(format);
  writer.int16(columns);
  for (let column = 0; column < columns; column++) writer.int16(format);
  writer.endBlock(block);
}

export function copyData(writer: Writer, data: Uint8Array): void {
  writer.uint8(type.copyData);
  writer.int32(4 + data.length);
  writer.raw(data);
}

export function copyDone(writer: Writer): void {
  empty(writer, type.copyDone);
}

/**
 * Opens a CopyData with XLogData's header; the payload is written next, then `writer.endBlock(result)`.
 *
 * @param sendTime microseconds since 2000
 */
export function beginXLogData(writer: Writer, walStart: bigint, walEnd: bigint, sendTime: bigint): number {
  writer.uint8(type.copyData);
  const block = writer.startBlock();
  writer.uint8(0x77);
  writer.int64(walStart);
  writer.int64(walEnd);
  writer.int64(sendTime);
  return block;
}

/** Primary keepalive message in a CopyData. */
export function primaryKeepalive(writer: Writer, walEnd: bigint, sendTime: bigint, replyRequested: boolean): void {
  writer.uint8(type.copyData);
  writer.int32(4 + 18);
  writer.uint8(0x6b);
  writer.int64(walEnd);
  writer.int64(sendTime);
  writer.uint8(replyRequested ? 1 : 0);
}

/** Primary status update (19 and later) in a CopyData: the answer to a client's `p`. */
export function primaryStatusUpdate(
  writer: Writer,
  walWrite: bigint,
  oldestXid: bigint,
  nextXid: bigint,
  sendTime: bigint,
): void {
  writer.uint8(type.copyData);
  writer.int32(4 + 33);
  writer.uint8(0x73);
  writer.int64(walWrite);
  writer.int64(oldestXid);
  writer.int64(nextXid);
  writer.int64(sendTime);
}

/** ErrorResponse, or NoticeResponse for what is less than an error. */
export function errorOrNotice(writer: Writer, error: WireError): void {
  const isError = error.severity === 'ERROR' || error.severity === 'FATAL' || error.severity === 'PANIC';
  const block = begin(writer, isError ? type.errorResponse : type.noticeResponse);
  const field = (letter: string, value: string | number | undefined): void => {
    if (value === undefined) return;
    writer.uint8(letter.charCodeAt(0));
    // A NUL would end the field early.
    writer.cstring(String(value).replaceAll('\0', ''));
  };
  field('S', error.severity);
  field('V', error.severity);
  field('C', error.code);
  field('M', error.message);
  field('D', error.detail);
  field('H', error.hint);
  field('W', error.where);
  field('P', error.position);
  writer.uint8(0);
  writer.endBlock(block);
}

/** What servers say to clients of protocol 2: not a message, just text. */
export function legacyError(writer: Writer, error: WireError): void {
  writer.text(`E${error.severity}:  ${error.message}\n`);
  writer.uint8(0);
}
