// Reads pgoutput messages (protocol 1 to 4, text format). Every count and length is checked against what is left of the
// message, and nothing may be left over: a damaged message is an error, never a wrong row.

/** A value that an UPDATE did not touch and the server did not send (TOAST). Neither NULL nor an empty text. */
export const unchanged = Object.freeze({ unchanged: true });
export const isUnchanged = (cell) => cell?.unchanged === true;

export class ProtocolError extends Error {}

export class PgoutputReader {
  // Inside a stream block changes carry the xid of their (sub)transaction. The protocol version alone does not say so.
  #inStream = false;

  read(payload) {
    const cursor = new Cursor(payload);
    const kind = cursor.character();
    const read = this[kind];
    if (read === undefined) throw new ProtocolError(`unknown pgoutput message ${JSON.stringify(kind)}`);
    const message = read.call(this, cursor);
    cursor.end(message.kind);
    return message;
  }

  xid(cursor) {
    return this.#inStream ? cursor.uint32() : undefined;
  }

  B(cursor) {
    return { kind: 'begin', finalLsn: cursor.uint64(), time: cursor.int64(), xid: cursor.uint32() };
  }

  C(cursor) {
    return { kind: 'commit', flags: cursor.byte(), ...this.#commitPositions(cursor) };
  }

  #commitPositions(cursor) {
    return { commitLsn: cursor.uint64(), endLsn: cursor.uint64(), time: cursor.int64() };
  }

  O(cursor) {
    return { kind: 'origin', lsn: cursor.uint64(), name: cursor.text() };
  }

  Y(cursor) {
    const xid = this.xid(cursor);
    return { kind: 'type', xid, oid: cursor.uint32(), namespace: cursor.text(), name: cursor.text() };
  }

  R(cursor) {
    const xid = this.xid(cursor);
    const relation = { oid: cursor.uint32(), namespace: cursor.text() || 'pg_catalog', name: cursor.text() };
    const replicaIdentity = cursor.character();
    const columns = cursor.list(cursor.uint16(), () => ({
      // Part of the replica identity: under FULL every column, whatever the primary key is.
      isKey: (cursor.byte() & 1) === 1,
      name: cursor.text(),
      typeOid: cursor.uint32(),
      typeModifier: cursor.int32(),
    }));
    return { kind: 'relation', xid, relation: { ...relation, replicaIdentity, columns } };
  }

  I(cursor) {
    const xid = this.xid(cursor);
    const relationOid = cursor.uint32();
    cursor.expect('N');
    return { kind: 'insert', xid, relationOid, newTuple: this.#tuple(cursor) };
  }

  U(cursor) {
    const xid = this.xid(cursor);
    const relationOid = cursor.uint32();
    let marker = cursor.expect('K', 'O', 'N');
    // The old tuple is optional: under the default identity it comes only when the key changed.
    let old;
    if (marker !== 'N') {
      old = { marker, tuple: this.#tuple(cursor) };
      marker = cursor.expect('N');
    }
    return { kind: 'update', xid, relationOid, old, newTuple: this.#tuple(cursor) };
  }

  D(cursor) {
    const xid = this.xid(cursor);
    const relationOid = cursor.uint32();
    const marker = cursor.expect('K', 'O');
    return { kind: 'delete', xid, relationOid, old: { marker, tuple: this.#tuple(cursor) } };
  }

  T(cursor) {
    const xid = this.xid(cursor);
    const count = cursor.uint32();
    const options = cursor.byte();
    return { kind: 'truncate', xid, options, relationOids: cursor.list(count, () => cursor.uint32()) };
  }

  M(cursor) {
    const xid = this.xid(cursor);
    const transactional = (cursor.byte() & 1) === 1;
    const lsn = cursor.uint64();
    const prefix = cursor.text();
    return { kind: 'message', xid, transactional, lsn, prefix, content: cursor.bytes(cursor.uint32()) };
  }

  S(cursor) {
    this.#inStream = true;
    return { kind: 'streamStart', xid: cursor.uint32(), isFirst: cursor.byte() === 1 };
  }

  E() {
    this.#inStream = false;
    return { kind: 'streamStop' };
  }

  c(cursor) {
    return { kind: 'streamCommit', xid: cursor.uint32(), flags: cursor.byte(), ...this.#commitPositions(cursor) };
  }

  A(cursor) {
    const message = { kind: 'streamAbort', xid: cursor.uint32(), subxid: cursor.uint32() };
    // With streaming 'parallel' the abort's LSN and time follow.
    if (cursor.left > 0) cursor.bytes(16);
    return message;
  }

  b(cursor) {
    return { kind: 'beginPrepare', ...this.#prepared(cursor) };
  }

  P(cursor) {
    return { kind: 'prepare', flags: cursor.byte(), ...this.#prepared(cursor) };
  }

  p(cursor) {
    return { kind: 'streamPrepare', flags: cursor.byte(), ...this.#prepared(cursor) };
  }

  #prepared(cursor) {
    const positions = { prepareLsn: cursor.uint64(), endLsn: cursor.uint64(), time: cursor.int64() };
    return { ...positions, xid: cursor.uint32(), gid: cursor.text() };
  }

  K(cursor) {
    const flags = cursor.byte();
    return {
      kind: 'commitPrepared',
      flags,
      ...this.#commitPositions(cursor),
      xid: cursor.uint32(),
      gid: cursor.text(),
    };
  }

  r(cursor) {
    const flags = cursor.byte();
    const positions = { prepareEndLsn: cursor.uint64(), endLsn: cursor.uint64() };
    const times = { prepareTime: cursor.int64(), time: cursor.int64() };
    return { kind: 'rollbackPrepared', flags, ...positions, ...times, xid: cursor.uint32(), gid: cursor.text() };
  }

  /** One cell per column: text, null, or `unchanged`. */
  #tuple(cursor) {
    return cursor.list(cursor.uint16(), () => {
      switch (cursor.expect('t', 'n', 'u')) {
        case 't':
          return cursor.bytes(cursor.uint32()).toString('utf8');
        case 'n':
          return null;
        default:
          return unchanged;
      }
    });
  }
}

class Cursor {
  #at = 0;

  constructor(buffer) {
    this.buffer = buffer;
  }

  get left() {
    return this.buffer.length - this.#at;
  }

  #take(count) {
    if (count > this.left) throw new ProtocolError(`a message ends ${count - this.left} bytes too early`);
    this.#at += count;
    return this.#at - count;
  }

  byte() {
    return this.buffer.readUInt8(this.#take(1));
  }

  uint16() {
    return this.buffer.readUInt16BE(this.#take(2));
  }

  int32() {
    return this.buffer.readInt32BE(this.#take(4));
  }

  // OIDs and xids are unsigned: they pass 2^31 on old clusters.
  uint32() {
    return this.buffer.readUInt32BE(this.#take(4));
  }

  int64() {
    return this.buffer.readBigInt64BE(this.#take(8));
  }

  uint64() {
    return this.buffer.readBigUInt64BE(this.#take(8));
  }

  bytes(length) {
    const start = this.#take(length);
    return this.buffer.subarray(start, start + length);
  }

  text() {
    const end = this.buffer.indexOf(0, this.#at);
    if (end < 0) throw new ProtocolError('a text does not end within its message');
    const text = this.buffer.toString('utf8', this.#at, end);
    this.#at = end + 1;
    return text;
  }

  character() {
    return String.fromCharCode(this.byte());
  }

  expect(...characters) {
    const found = this.character();
    if (!characters.includes(found))
      throw new ProtocolError(`expected one of ${characters}, found ${JSON.stringify(found)}`);
    return found;
  }

  list(count, readOne) {
    // Each item takes at least one byte: a count that cannot be true asks for no memory.
    if (count > this.left) throw new ProtocolError(`${count} items in ${this.left} bytes`);
    return Array.from({ length: count }, readOne);
  }

  end(kind) {
    if (this.left > 0) throw new ProtocolError(`${this.left} bytes too many behind ${kind}`);
  }
}
