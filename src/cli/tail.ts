import { Command, Option } from 'commander';
import { ConnectionError, DatabaseError, parseTarget, type Target } from '../client/index.js';
import { DecodeError } from '../pgoutput/index.js';
import { collect, duration, lsn, wholeNumber } from './arguments.js';
import { Exit } from './exit.js';
import type { Verb } from './program.js';
import { follow, type FollowOptions } from './tail-session.js';
import type { Terminal } from './terminal.js';

interface Options extends FollowOptions {
  readonly url: string;
}

export const tail: Verb = {
  command: (terminal) =>
    new Command()
      .description(
        'Follows a publication of any PostgreSQL server, real or fake: prints what comes and confirms what was printed.\n' +
          'Ends at SIGINT, or as --until-lsn, --count or --idle say, and then tells on stderr what it confirmed.',
      )
      .requiredOption(
        '--url <url>',
        'postgres://user:password@host:port/database; the password may stand in PGPASSWORD',
      )
      .requiredOption('--slot <name>', 'replication slot')
      .requiredOption('--publication <name>', 'publication (repeatable)', collect)
      .option('--create-slot', 'create the slot first')
      .option('--temporary', 'with --create-slot: a slot that ends with the connection')
      .option(
        '--start-lsn <lsn>',
        'start there, if the slot has not confirmed more (default: where the slot stands)',
        lsn,
      )
      .option(
        '--proto-version <n>',
        'protocol version (default: the lowest that has what is asked for)',
        wholeNumber(1, 4),
      )
      .addOption(
        new Option('--streaming <mode>', 'large transactions before they end').choices(['off', 'on', 'parallel']),
      )
      .option('--two-phase', 'prepared transactions at PREPARE TRANSACTION')
      .option('--binary', "values in their types' binary form")
      .option('--messages', 'logical decoding messages, too')
      .addOption(new Option('--origin <which>', 'changes of which origin').choices(['any', 'none']))
      .option('--until-lsn <lsn>', 'end when everything up to there has come', lsn)
      .option('--count <n>', 'end after so many transactions', wholeNumber(1, Number.MAX_SAFE_INTEGER))
      .option('--idle <time>', 'end when nothing has come for so long: 500ms, 5s, 1min', duration)
      .option('--status-interval <time>', 'confirm at least this often (default: 10s)', duration)
      .option('--json', 'print JSON lines, as encode does')
      .addHelpText(
        'after',
        `
Examples:
  fake-walsender tail --url postgres://postgres@127.0.0.1:5432/app --slot try --publication pub --create-slot --temporary
  fake-walsender tail --url postgres://postgres@127.0.0.1:5432/app --slot app --publication pub --streaming on --idle 5s --json`,
      )
      .action((options: Options) => run(options, terminal)),
};

async function run(options: Options, terminal: Terminal): Promise<void> {
  if (options.temporary && !options.createSlot) throw new Exit(2, '--temporary needs --create-slot');
  try {
    await follow(target(options.url, terminal), options, terminal);
  } catch (error) {
    if (error instanceof DatabaseError) throw new Exit(1, describe(error));
    if (error instanceof ConnectionError || error instanceof DecodeError) throw new Exit(1, error.message);
    throw error;
  }
}

function target(url: string, { environment }: Terminal): Target {
  try {
    const parsed = parseTarget(url);
    return { ...parsed, password: parsed.password ?? environment['PGPASSWORD'] };
  } catch (error) {
    throw new Exit(2, (error as Error).message);
  }
}

function describe({ severity, message, code, detail, hint }: DatabaseError): string {
  return [`the server says ${severity}: ${message} (SQLSTATE ${code})`, detail, hint].filter(Boolean).join('\n  ');
}
