export { CannotServe } from './cannot-serve.js';
export type { WaitOptions } from './event-source.js';
export { EventSource, waitFor } from './event-source.js';
export type { LiveEvent, LiveEventKind, LiveEventOf } from './events.js';
export { createLiveServer, LiveServer, type LiveServerOptions } from './live-server.js';
export { replaceFile } from './slot-file.js';
export { durationMilliseconds, VirtualClock, type Duration } from './virtual-clock.js';
export { serveAnswers } from './serve-answers.js';
export { serverConfig } from './serve-config.js';
