export { createServer, Server, type CloseOptions, type ServerConfig } from './server.js';
export type { TlsConfig } from './tls.js';
export { systemClock, type ServerClock } from './system-clock.js';
export { streamPair } from './stream-pair.js';
