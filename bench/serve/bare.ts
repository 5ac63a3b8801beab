/** Sends prepared buffers of bytes from a file as fast as they are taken, and that is all. Arguments: the file, how many bytes. */
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';

const [, , file, limit] = process.argv as [string, string, string, string];
const bytes = readFileSync(file);
const chunk = 64 * 1024;

const server = createServer({ noDelay: true }, (socket) => {
  let sent = 0;
  const pump = (): void => {
    while (sent < Number(limit)) {
      const start = sent % (bytes.length - chunk);
      sent += chunk;
      if (!socket.write(bytes.subarray(start, start + chunk))) return void socket.once('drain', pump);
    }
  };
  socket.on('error', () => undefined);
  socket.once('data', pump);
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
process.on('disconnect', () => process.exit());
