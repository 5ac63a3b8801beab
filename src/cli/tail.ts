import { Command } from 'commander';
import { duration, lsn, wholeNumber } from './arguments.js';
import { Exit } from './exit.js';
import type { Verb } from './program.js';
import { addReplicationOptions, asExit, targetOf } from './replication-options.js';
import { follow, type FollowOptions } from './tail-session.js';
import type { Terminal } from './terminal.js';

interface Options extends FollowOptions {
  readonly url: string;
}

export const tail: Verb = {
  command: (terminal) =>
    addReplicationOptions(new Command())
      .description(
        'Follows a publication of any PostgreSQL server, real or fake: prints what comes and confirms what was printed.\n' +
          'Ends at SIGINT, or as --until-lsn, --count or --idle say, and then tells on stderr what it confirmed.',
      )
      .option('--create-slot', 'create the slot first')
      .option('--temporary', 'with --create-slot: a slot that ends with the connection')
      .option(
        '--start-lsn <lsn>',
        'start there, if the slot has not confirmed more (default: where the slot stands)',
        lsn,
      )
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
    await follow(targetOf(options.url, terminal), options, terminal);
  } catch (error) {
    throw asExit(error);
  }
}
