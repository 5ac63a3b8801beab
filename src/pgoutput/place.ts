import type { MessageKind } from './messages.js';

/**
 * Where messages stand: changes outside of stream blocks, or in one and then with an xid; others outside only, or
 * anywhere (Origin: without an xid even in a block. Stream Stop: whether it counts as in its block is left open).
 */
export const places: Readonly<Record<MessageKind, 'change' | 'outside' | 'anywhere'>> = {
  begin: 'outside',
  commit: 'outside',
  origin: 'anywhere',
  relation: 'change',
  type: 'change',
  insert: 'change',
  update: 'change',
  delete: 'change',
  truncate: 'change',
  message: 'change',
  streamStart: 'outside',
  streamStop: 'anywhere',
  streamCommit: 'outside',
  streamAbort: 'outside',
  beginPrepare: 'outside',
  prepare: 'outside',
  commitPrepared: 'outside',
  rollbackPrepared: 'outside',
  streamPrepare: 'outside',
};
