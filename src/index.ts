/** The mock, and what is common to all uses: errors, and LSNs and times as values. */
export { formatLsn, parseLsn } from './values/lsn.js';
export { formatTimestamp, parseTimestamp } from './values/timestamp.js';
export { WireError, type WireErrorFields } from './values/wire-error.js';
export {
  DecodeError,
  EncodeError,
  unchanged,
  type DecodeContext,
  type Message,
  type MessageKind,
} from './pgoutput/index.js';
export {
  ScenarioError,
  type Diagnostic,
  type ExecuteOptions,
  type KeepaliveStep,
  type Position,
  type Scenario,
  type ScenarioStep,
  type Severity,
  type WireBytes,
} from './scenario/index.js';
export {
  StatementError,
  type AlterPublication,
  type PublicationDeclaration,
  type PublishedAction,
  type PublishedTableDeclaration,
  type ReplicaIdentityDeclaration,
  type StatementSubject,
  type TableName,
  type TruncateOptions,
} from './database/index.js';
export type { LoadScenarioOptions } from './scenario-file.js';
export type { GenericOption, PluginOption, ReplicationCommand } from './protocol/replication-command.js';
export type { RawText } from './timeline/datum.js';
export type { PgoutputOptions } from './timeline/emitter.js';
export type { OriginMark } from './timeline/timeline.js';
export type { Answer, ConnectionFacts, ConnectionStage, ExtendedFacts, QueryFacts } from './walsender/answers.js';
export type { AuthenticationMethod } from './walsender/authentication.js';
export type { ReplicationMode, SessionEvent } from './walsender/events.js';
export type { Performed } from './walsender/injections.js';
export type { Peer } from './walsender/wire.js';
export * from './mock/index.js';
export {
  CannotServe,
  type Duration,
  type EventSource,
  type LiveEvent,
  type LiveEventKind,
  type LiveEventOf,
  type VirtualClock,
  type WaitOptions,
} from './live/index.js';
