export { assertConfirmed, assertDecodesAs, assertReceivedQuery, assertStartedReplication } from './assertions.js';
export { command, type CommandHandler, type CommandInfo, type CommandName, type CommandOf } from './command-handler.js';
export type {
  ColumnDefinition,
  ColumnDefinitions,
  ColumnValue,
  Constant,
  InsertRow,
  NewRow,
  RowOfColumns,
  SomeColumns,
  SomeValues,
  Toasted,
  Written,
} from './column-definition.js';
export {
  connection,
  type ConnectionHandler,
  type ConnectionInfo,
  type ConnectionResponse,
} from './connection-handler.js';
export type { ExpectedMessage } from './decode-check.js';
export { ddl, type TableLike } from './ddl.js';
export { fault, type FaultScope, type StepOf } from './fault.js';
export type { Asked, HandlerBase, HandlerOptions, Resolver } from './handler.js';
export type { Handler } from './handler-store.js';
export type { LiveTransaction } from './live-transaction.js';
export type { ListenOptions } from './listen-options.js';
export type { PublishOptions } from './mock-instance.js';
export type { LsnLike, Published } from './published.js';
export { query, type QueryHandler, type QueryInfo } from './query-handler.js';
export type { RowsOptions } from './response.js';
export { raw, toasted } from './row-datums.js';
export { scenario, type ScenarioHandler } from './scenario-handler.js';
export type { CheckedServer, ConfirmedOptions, StartedReplication } from './server-checks.js';
export { setupWalsender, type MockWalsender } from './setup-walsender.js';
export { slot, type SlotGenerator, type SlotHandler, type SlotInfo } from './slot-handler.js';
export type { Statement, TransactionPart } from './statement.js';
export {
  table,
  type AnyTable,
  type DeleteOf,
  type MockTable,
  type TableOptions,
  type UpdateOf,
  type WhereRows,
} from './table.js';
export {
  block,
  commitPrepared,
  message,
  nonTransactionalMessage,
  rollbackPrepared,
  savepoint,
  tx,
  type Publishable,
  type PublishedTransaction,
  type TransactionOptions,
  type WalRecord,
} from './transaction.js';
export type { OnUnhandledQuery, UnhandledCallback, UnhandledPrint } from './unhandled.js';
