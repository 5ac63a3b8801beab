import { Command } from 'commander';
import { ConnectionError, DatabaseError, type Target } from '../client/index.js';
import { Anonymizer } from '../scenario/decompile/anonymize.js';
import { CollectError, decompile, type DecompileOptions } from '../scenario/decompile/decompile.js';
import { declaredName, typesText } from '../scenario/decompile/declared-types.js';
import { formatLsn } from '../values/lsn.js';
import { duration, lsn, wholeNumber } from './arguments.js';
import { Spool } from './capture/spool.js';
import { WholeFile } from './capture/whole-file.js';
import { Exit } from './exit.js';
import { protocolVersion } from './plugin-options.js';
import type { Verb } from './program.js';
import { readCatalog, type CatalogFacts } from './record-catalog.js';
import { Recorder, type RecordOptions } from './record-session.js';
import { addReplicationOptions, asExit, describeRefusal, targetOf } from './replication-options.js';
import type { Terminal } from './terminal.js';

interface Options extends RecordOptions {
  readonly url: string;
  readonly output: string;
  readonly force?: boolean;
  readonly title?: string;
  readonly anonymize?: boolean;
}

export const record: Verb = {
  command: (terminal) =>
    addReplicationOptions(new Command())
      .description(
        'Captures the stream of a real server, as this client gets it, into a scenario that encodes to the same bytes.\n' +
          'Ends at SIGINT, or as --until-lsn, --count or --idle say; the file then appears as a whole. Nothing is confirmed\n' +
          'to the server, so the slot gives the same once more, unless --confirm says so.',
      )
      .requiredOption('-o, --output <file>', 'the scenario')
      .option('--force', 'replace that file')
      .option('--title <text>', "the scenario's title")
      .option('--create-slot', 'create the slot, for as long as the recording takes')
      .option('--until-lsn <lsn>', 'end when everything up to there has come', lsn)
      .option('--count <n>', 'end after so many transactions', wholeNumber(1, Number.MAX_SAFE_INTEGER))
      .option('--idle <time>', 'end when nothing has come for so long: 500ms, 5s, 1min', duration)
      .option(
        '--anonymize',
        'replace every value: same type, same length, equal where it was equal. What stays: names of tables and columns, ' +
          'booleans, enum labels, keys of JSON, about the date of times, GIDs, names of origins, prefixes of messages',
      )
      .option('--confirm', 'confirm what was recorded, once the file is written')
      .addHelpText(
        'after',
        `
Examples:
  fake-walsender record --url postgres://postgres@127.0.0.1:5432/app --slot rec --create-slot --publication pub -o incident.yaml
  fake-walsender record --url postgres://postgres@127.0.0.1:5432/app --slot app --publication pub --until-lsn 0/1A2B3C0 --anonymize -o incident.yaml`,
      )
      .action((options: Options) => run(options, terminal)),
};

async function run(options: Options, terminal: Terminal): Promise<void> {
  if (options.anonymize === true && options.binary === true) {
    throw new Exit(2, '--anonymize replaces texts: it does not go with --binary');
  }
  if (options.confirm === true && options.createSlot === true) {
    throw new Exit(2, '--confirm is for a slot that stays: it does not go with --create-slot');
  }
  const target = targetOf(options.url, terminal);
  const file = WholeFile.create(options.output, options.force ?? false);
  const spool = new Spool();
  let recorder: Recorder | undefined;
  try {
    recorder = await Recorder.start(target, options, spool, terminal);
    await recorder.run();
    await write(recorder, target, options, spool, file, terminal);
    file.complete();
    if (options.confirm === true) await recorder.confirm(target);
    tell(recorder, options, spool, terminal);
  } catch (error) {
    throw error instanceof CollectError ? new Exit(1, `message ${error.index + 1}: ${error.message}`) : asExit(error);
  } finally {
    recorder?.end();
    file.discard();
    spool.close();
  }
}

async function write(
  recorder: Recorder,
  target: Target,
  options: Options,
  spool: Spool,
  file: WholeFile,
  terminal: Terminal,
): Promise<void> {
  const { identity } = recorder;
  const catalog = await catalogOf(recorder, target, terminal);
  const messages = spool.messages(options.streaming ?? 'off', (error) => {
    throw error;
  });
  const anonymizer =
    options.anonymize === true ? new Anonymizer(Number.parseInt(identity.version, 10), catalog?.types) : null;
  const pieces = decompile(anonymizer === null ? messages : anonymizer.replace(messages), {
    title: options.title ?? `Recorded from slot ${options.slot}`,
    about: [
      `Recorded from PostgreSQL ${identity.version}: publication ${options.publication.join(', ')}.`,
      ...(anonymizer === null ? [] : ['Every value was replaced by another one of the same kind.']),
    ],
    serverVersion: identity.version,
    systemId: identity.systemId,
    timelineId: identity.timelineId,
    client: {
      protoVersion: protocolVersion(options),
      streaming: options.streaming ?? 'off',
      twoPhase: options.twoPhase ?? false,
      binary: options.binary ?? false,
      messages: options.messages ?? false,
      origin: options.origin ?? 'any',
    },
    ...(catalog !== undefined && catalogOptions(catalog)),
    onNote: (note) => terminal.stderr.write(`${note}\n`),
  });
  for (const piece of pieces) file.write(piece);
}

function catalogOptions(catalog: CatalogFacts): Partial<DecompileOptions> {
  const types = typesText(catalog);
  return {
    factsOf: (oid) => catalog.tables.get(oid),
    declaredType: (column) => declaredName(catalog, column),
    declaredTypes: catalog.types,
    ...(types !== undefined && { types }),
  };
}

/** The stream is complete without them. */
async function catalogOf(
  { relationIds, identity }: Recorder,
  target: Target,
  { stderr }: Terminal,
): Promise<CatalogFacts | undefined> {
  try {
    return await readCatalog(target, relationIds, Number.parseInt(identity.version, 10));
  } catch (error) {
    if (!(error instanceof DatabaseError) && !(error instanceof ConnectionError)) throw error;
    stderr.write(`keys, NOT NULL and types are not in the scenario: ${error.message}\n`);
    return undefined;
  }
}

function tell(
  { transactions, position, failure }: Recorder,
  { output, confirm }: Options,
  { count }: Spool,
  { stderr }: Terminal,
): void {
  const confirmed = confirm === true && failure === undefined ? ', confirmed' : '';
  stderr.write(
    `${output}: ${transactions} transactions, ${count} messages, up to ${formatLsn(position)}${confirmed}\n`,
  );
  if (failure === undefined) return;
  const reason = failure instanceof DatabaseError ? describeRefusal(failure) : failure.message;
  throw new Exit(1, `${reason}\n  what had come by then was recorded`);
}
