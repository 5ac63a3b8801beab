/** The annotated dump of a stream: every field of every message, its bytes, value and meaning, and the scenario's line. */
export { Explainer, type ExplainerOptions, type Payload } from './explainer.js';
export type { ExplainedMessage } from './explained-message.js';
export { explainedToJson } from './json.js';
export { renderPage, type PageOptions } from './page/page.js';
export { TextDump, type Style, type TextDumpOptions } from './text-dump.js';
