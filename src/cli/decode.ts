import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { Command, Option } from 'commander';
import { createDecoder, DecodeError, type Streaming } from '../pgoutput/index.js';
import { Exit } from './exit.js';
import { messageLine } from './message-line.js';
import { MessagePrinter } from './message-text.js';
import { Output } from './output.js';
import { readLines, readRaw } from './payload-input.js';
import type { Verb } from './program.js';
import { hasColor, type Terminal } from './terminal.js';
import { TransactionTracker } from '../pgoutput/transaction-tracker.js';

interface Options {
  readonly raw?: boolean;
  readonly pretty?: boolean;
  readonly inStream?: boolean;
  readonly streaming?: Streaming;
}

export const decode: Verb = {
  command: (terminal) =>
    new Command()
      .description(
        'Reads pgoutput payloads of one session, in order, and prints them as JSON lines, as encode does.\n' +
          'Takes a payload a line: hex, \\x and hex as psql prints bytea, base64, or JSON with "hex".',
      )
      .argument('[file]', 'where they are (default: standard input)')
      .option('--raw', 'binary input: an Int32 length before each payload, as encode --format raw writes it')
      .option('--pretty', 'print for reading, with names of tables and columns')
      .option('--in-stream', 'the first payload stands inside a streamed block')
      .addOption(
        new Option(
          '--streaming <mode>',
          "what the session negotiated (default: a Stream Abort's length tells)",
        ).choices(['off', 'on', 'parallel']),
      )
      .addHelpText(
        'after',
        `
Examples:
  echo 4200000000015001d00002ed3b4d5c5c40000002ef | fake-walsender decode --pretty
  psql -Atc "SELECT data FROM pg_logical_slot_peek_binary_changes('s', NULL, NULL, 'proto_version', '1', 'publication_names', 'pub')" app | fake-walsender decode
  fake-walsender encode key-change.yaml --format raw | fake-walsender decode --raw`,
      )
      .action((file: string | undefined, options: Options) => run(file, options, terminal)),
};

async function run(file: string | undefined, options: Options, terminal: Terminal): Promise<void> {
  const decoder = createDecoder({
    inStream: options.inStream ?? false,
    ...(options.streaming === undefined ? {} : { streaming: options.streaming }),
  });
  const tracker = new TransactionTracker();
  const printer = options.pretty ? new MessagePrinter(hasColor(terminal.stdout, terminal)) : undefined;
  const output = new Output(terminal.stdout);
  const name = file ?? 'standard input';
  try {
    for await (const { bytes, lsn, end, place } of (options.raw ? readRaw : readLines)(openInput(file, terminal))) {
      try {
        const message = decoder.decode(bytes);
        const xid = tracker.follow(message);
        output.line(printer ? printer.print(message) : messageLine(lsn, end, xid, bytes, message));
      } catch (error) {
        if (error instanceof DecodeError) throw new Exit(1, `${place}: ${error.message}`);
        throw error;
      }
      if (output.full) await output.flush();
    }
  } catch (error) {
    if (error instanceof Exit) throw new Exit(error.status, `${name}, ${error.message}`);
    if ((error as NodeJS.ErrnoException).syscall) throw new Exit(1, `${name}: ${(error as Error).message}`);
    throw error;
  } finally {
    // What came before a mistake is right.
    await output.flush();
  }
}

function openInput(file: string | undefined, { stdin }: Terminal): Readable {
  return file === undefined || file === '-' ? stdin : createReadStream(file);
}
