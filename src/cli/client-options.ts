/** Options for what a client negotiates. */
import { Option, type Command } from 'commander';
import type { ClientOptions } from '../scenario/index.js';
import { collect, wholeNumber } from './arguments.js';

export interface ClientArguments extends Partial<Omit<ClientOptions, 'publications'>> {
  readonly publication?: readonly string[];
}

/** Of verbs that do without a server. */
export function addClientOptions(command: Command): Command {
  return addPluginOptions(command, 'protocol version')
    .option('--publication <name>', 'publication (repeatable; default: all that the file declares)', collect)
    .option('--late', 'decode after all of the stream was written');
}

/** pgoutput's own. */
export function addPluginOptions(command: Command, protoVersion: string): Command {
  return command
    .option('--proto-version <n>', protoVersion, wholeNumber(1, 4))
    .addOption(
      new Option('--streaming <mode>', 'large transactions before they end').choices(['off', 'on', 'parallel']),
    )
    .option('--two-phase', 'prepared transactions at PREPARE TRANSACTION')
    .option('--binary', "values in their types' binary form")
    .option('--messages', 'logical decoding messages, too')
    .addOption(new Option('--origin <which>', 'changes of which origin').choices(['any', 'none']));
}

/** What was said; the rest is the file's. */
export function clientOptions({ publication, ...options }: ClientArguments): Partial<ClientOptions> {
  const { protoVersion, streaming, twoPhase, binary, messages, origin, late } = options;
  const said = { protoVersion, streaming, twoPhase, binary, messages, origin, late, publications: publication };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}
