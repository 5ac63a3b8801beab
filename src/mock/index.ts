export { assertConfirmed, assertDecodesAs, assertReceivedQuery, assertStartedReplication } from './assertions.js';
export { command, type CommandHandler, type CommandInfo, type CommandName } from './command-handler.js';
export type { ColumnDefinition, ColumnDefinitions, RowOfColumns } from './column-definition.js';
export { connection, type ConnectionHandler, type ConnectionInfo } from './connection-handler.js';
export { ddl } from './ddl.js';
export { fault, type FaultScope } from './fault.js';
export type { HandlerOptions, Resolver } from './handler.js';
export type { Handler } from './handler-store.js';
export type { LiveTransaction } from './live-transaction.js';
export type { ListenOptions } from './listen-options.js';
export type { PublishOptions } from './mock-instance.js';
export type { LsnLike, Published } from './published.js';
export { query, type QueryHandler, type QueryInfo } from './query-handler.js';
export type { RowsOptions } from './response.js';
export { raw, toasted } from './row-datums.js';
export { scenario, type ScenarioHandler } from './scenario-handler.js';
export { setupWalsender, type MockWalsender } from './setup-walsender.js';
export { slot, type SlotHandler, type SlotInfo } from './slot-handler.js';
export type { Statement, TransactionPart } from './statement.js';
export { table, type MockTable, type TableOptions } from './table.js';
export {
  block,
  commitPrepared,
  message,
  nonTransactionalMessage,
  rollbackPrepared,
  savepoint,
  tx,
  type Publishable,
  type TransactionOptions,
} from './transaction.js';
export type { OnUnhandledQuery } from './unhandled.js';
