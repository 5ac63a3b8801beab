/** What a client receives of a scenario, as lines for tests to compare. */
import { encodeScenario, readScenario, type ClientOptions } from '../../src/scenario/index.js';
import { requireScenario } from '../../src/scenario/index.js';
import type { Cell, Message, OldTuple } from '../../src/pgoutput/messages.js';

/** Relation and Type messages are left out. */
export function changeLines(text: string, client: Partial<ClientOptions> = {}): string[] {
  const scenario = requireScenario(readScenario(text));
  return [...encodeScenario(scenario, client)]
    .filter(({ kind }) => kind !== 'relation' && kind !== 'type')
    .map(({ message, xid }) => `${xid ?? '-'} ${messageText(message)}`);
}

function messageText(message: Message): string {
  switch (message.kind) {
    case 'insert':
      return `insert ${cells(message.newTuple)}`;
    case 'update':
      return `update ${message.oldTuple === null ? '' : `${old(message.oldTuple)} → `}${cells(message.newTuple)}`;
    case 'delete':
      return `delete ${old(message.oldTuple)}`;
    case 'message':
      return `message ${message.prefix} ${Buffer.from(message.content).toString('latin1')}`;
    case 'streamAbort':
      return `streamAbort ${message.subxid}`;
    case 'prepare':
    case 'commitPrepared':
    case 'rollbackPrepared':
    case 'streamPrepare':
      return `${message.kind} ${message.gid}`;
    default:
      return message.kind;
  }
}

function old({ marker, columns }: OldTuple): string {
  return `${marker}${cells(columns)}`;
}

function cells(tuple: readonly Cell[]): string {
  return `(${tuple.map((cell) => (cell === null ? 'null' : typeof cell === 'string' ? cell : typeof cell === 'symbol' ? 'unchanged' : Buffer.from(cell).toString('hex'))).join('|')})`;
}
