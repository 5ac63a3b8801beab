export { createSqlEngine } from './sql-engine.js';
export type {
  Field,
  FieldValue,
  SessionOptions,
  SqlEngine,
  SqlOutput,
  SqlOutputs,
  SqlSession,
  SqlWait,
  StatementDescription,
  TransactionState,
} from './engine.js';
export type {
  BackendState,
  DecodedChange,
  NewSlot,
  RoleState,
  SlotRead,
  SlotState,
  SqlHost,
  WalsenderState,
  WriteTransaction,
} from './host.js';
