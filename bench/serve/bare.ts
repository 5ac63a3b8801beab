/**
 * Sends prepared bytes from a file as fast as they are taken, and that is all: to whoever says anything the first few MB over and
 * over, to a replication client the whole file as its stream. Arguments: the file, how many bytes.
 */
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { Writer } from '../../src/bytes/writer.js';
import {
  authenticationOk,
  commandComplete,
  copyDone,
  dataRow,
  parameterStatus,
  readyForQuery,
  rowDescription,
} from '../../src/protocol/backend-messages.js';
import { Deframer } from '../../src/protocol/deframer.js';

const [, , file, limit] = process.argv as [string, string, string, string];
const stream = readFileSync(file);
const sample = stream.subarray(0, 4 * 1024 * 1024);
const chunk = 64 * 1024;

/** @param next - the bytes from a position on; undefined at the end */
function pump(socket: Socket, next: (sent: number) => Uint8Array | undefined): void {
  let sent = 0;
  const write = (): void => {
    for (let bytes = next(sent); bytes !== undefined; bytes = next(sent)) {
      sent += bytes.length;
      if (!socket.write(bytes)) return void socket.once('drain', write);
    }
  };
  write();
}

function answer(socket: Socket, write: (writer: Writer) => void): void {
  const writer = new Writer();
  write(writer);
  socket.write(writer.copy());
}

/** One row of texts. */
function row(writer: Writer, values: readonly (string | null)[]): void {
  const field = { tableOid: 0, attnum: 0, typeOid: 25, typeLength: -1, typeModifier: -1, format: 0 };
  rowDescription(
    writer,
    values.map((_, i) => ({ name: `column${i}`, ...field })),
  );
  dataRow(writer, values);
  commandComplete(writer, 'SELECT');
  readyForQuery(writer, 'I');
}

/** As much of the protocol as pg_recvlogical --start needs. */
function replicate(socket: Socket, first: Buffer): void {
  const received = new Deframer();
  const take = (type: string, body: Buffer): void => {
    if (type === 'Q' && body.includes('START_REPLICATION')) {
      // It begins with CopyBothResponse.
      pump(socket, (sent) => (sent < stream.length ? stream.subarray(sent, sent + chunk) : undefined));
    } else if (type === 'Q') {
      // IDENTIFY_SYSTEM; SHOW data_directory_mode; the search path.
      const identity = ['7300000000000000001', '1', '0/0', 'postgres'];
      answer(socket, (writer) => row(writer, body.includes('IDENTIFY_SYSTEM') ? identity : ['0700']));
    } else if (type === 'c') {
      answer(socket, (writer) => {
        copyDone(writer);
        commandComplete(writer, 'COPY 0');
        readyForQuery(writer, 'I');
      });
    }
  };
  let started = false;
  const read = (bytes: Buffer): void => {
    received.push(bytes);
    if (!started) {
      const startup = received.takeStartupPacket(10_000);
      if (startup === undefined) return;
      // Without encryption, whatever kind is asked for.
      if (Buffer.from(startup).readUInt32BE(0) !== 0x3_0000) return void socket.write('N');
      started = true;
      answer(socket, (writer) => {
        authenticationOk(writer);
        parameterStatus(writer, 'server_version', '17.0');
        parameterStatus(writer, 'integer_datetimes', 'on');
        readyForQuery(writer, 'I');
      });
    }
    for (let type = received.peek(); type !== undefined; type = received.peek()) {
      const body = received.takeMessage(1_000_000);
      if (body === undefined) break;
      take(String.fromCharCode(type), Buffer.from(body));
    }
  };
  read(first);
  socket.on('data', read);
}

const server = createServer({ noDelay: true }, (socket) => {
  socket.on('error', () => undefined);
  socket.once('data', (first: Buffer) => {
    // A startup packet begins with its length.
    if (first[0] === 0) return replicate(socket, first);
    const end = sample.length - chunk;
    pump(socket, (sent) => (sent < Number(limit) ? sample.subarray(sent % end, (sent % end) + chunk) : undefined));
  });
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
process.on('disconnect', () => process.exit());
