/** `command(…)`: answers to replication commands. */
import { commandNames, type CommandKind, type ReplicationCommand } from '../protocol/replication-command.js';
import type { QueryFacts } from '../walsender/answers.js';
import type { Asked, HandlerOptions, Resolver } from './handler.js';
import { answers } from './response.js';
import { callerOf } from './source-line.js';

type Kinds = {
  readonly IDENTIFY_SYSTEM: 'identifySystem';
  readonly SHOW: 'show';
  readonly READ_REPLICATION_SLOT: 'readReplicationSlot';
  readonly CREATE_REPLICATION_SLOT: 'createReplicationSlot';
  readonly ALTER_REPLICATION_SLOT: 'alterReplicationSlot';
  readonly DROP_REPLICATION_SLOT: 'dropReplicationSlot';
  readonly TIMELINE_HISTORY: 'timelineHistory';
  readonly START_REPLICATION: 'startLogical' | 'startPhysical';
  readonly BASE_BACKUP: 'baseBackup';
  readonly UPLOAD_MANIFEST: 'uploadManifest';
};
/** A replication command, by the keywords it begins with (the manual's "Streaming Replication Protocol"). */
export type CommandName = keyof Kinds;
/** A replication command that was parsed, by its name. */
export type CommandOf<N extends CommandName> = Extract<ReplicationCommand, { readonly kind: Kinds[N] }>;

/** What a resolver of `command` gets to see. */
export interface CommandInfo<N extends CommandName = CommandName> extends Omit<QueryFacts, 'values' | 'command'> {
  /** What the text says. */
  readonly command: CommandOf<N>;
}

/** What `command` makes. */
export interface CommandHandler extends Asked<never> {
  readonly kind: 'command';
  readonly name: CommandName;
}

function defineCommand<N extends CommandName>(
  name: N,
  resolver: Resolver<CommandInfo<N>>,
  { once = false }: HandlerOptions = {},
): CommandHandler {
  if (!Object.values<string>(commandNames).includes(name)) {
    const names = [...new Set(Object.values(commandNames))].join(', ');
    throw new TypeError(`${JSON.stringify(name)} is no replication command: there are ${names}`);
  }
  return { kind: 'command', title: `command('${name}')`, source: callerOf(defineCommand), name, resolver, once };
}

/**
 * Answers a replication command instead of the server; undefined asks the next handler, and then the server.
 * @throws TypeError for a name that is none
 */
export const command = Object.assign(defineCommand, answers);

export function nameOfCommand(kind: CommandKind): CommandName {
  return commandNames[kind] as CommandName;
}
