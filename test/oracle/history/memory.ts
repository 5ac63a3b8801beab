import type { Transaction } from './history.js';

/** logical_decoding_work_mem of the servers that are run, in bytes. */
const limit = 64 * 1024;
/** What a change takes up beside its tuple's data: sizeof ReorderBufferChange, HeapTupleData and the tuple's header. */
const overhead = 80 + 24 + 24;

/** Whether decoding memory is too small for the transaction, so that a server looks at it before its end. */
export function overflowsMemory({ changes }: Transaction): boolean {
  let size = 0;
  for (const change of changes) size += overhead + ('bytes' in change ? change.bytes : 0);
  return size > limit;
}
