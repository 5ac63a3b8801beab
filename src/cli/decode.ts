import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { Command, Option } from 'commander';
import {
  createDecoder,
  decode as decodeMessage,
  DecodeError,
  type Decoder,
  type Streaming,
} from '../pgoutput/index.js';
import { TransactionTracker } from '../pgoutput/transaction-tracker.js';
import { WholeFile } from './capture/whole-file.js';
import { decodeToScenario } from './decode-scenario.js';
import { Exit } from './exit.js';
import { fileError } from './file-error.js';
import { messageLine } from './message-line.js';
import { MessagePrinter } from './message-text.js';
import { Output } from './output.js';
import { formatPlace, openPayloads, type PayloadInput } from './payload-input.js';
import type { Verb } from './program.js';
import { hasColor, type Terminal } from './terminal.js';

interface Options {
  readonly raw?: boolean;
  readonly pretty?: boolean;
  readonly format?: 'jsonl' | 'pretty' | 'scenario';
  readonly output?: string;
  readonly force?: boolean;
  readonly title?: string;
  readonly serverVersion?: string;
  readonly inStream?: boolean;
  readonly streaming?: Streaming;
}

export const decode: Verb = {
  command: (terminal) =>
    new Command()
      .description(
        'Reads captured pgoutput payloads of one session, in order, and prints them as JSON lines, for reading, or as a\n' +
          'scenario that encodes to the same bytes. The shape of the capture is recognized:\n' +
          '  a payload a line: hex, base64, JSON with "hex" (and "lsn")\n' +
          '  what psql prints of pg_logical_slot_peek_binary_changes: aligned or not, expanded, CSV, COPY\n' +
          '  the file that pg_recvlogical -f writes\n' +
          '  an Int32 length before each payload; CopyData messages',
      )
      .argument('[file]', 'where they are (default: standard input)')
      .option('--raw', 'it is binary with lengths, whatever it looks like')
      .addOption(new Option('--format <format>', 'what to print').choices(['jsonl', 'pretty', 'scenario']))
      .option('--pretty', 'the same as --format pretty: names of tables and columns')
      .option('-o, --output <file>', 'write to a file, which appears when it is complete')
      .option('--force', 'replace that file')
      .option('--title <text>', "the scenario's title (default: the file name)")
      .option('--server-version <version>', 'of the server that sent it (default: what the messages tell)')
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
  psql -c "SELECT * FROM pg_logical_slot_peek_binary_changes('s', NULL, NULL, 'proto_version', '1', 'publication_names', 'pub')" app | fake-walsender decode --format scenario
  pg_recvlogical -d app -S s --start -o proto_version=1 -o publication_names=pub -f capture.bin --no-loop; fake-walsender decode capture.bin --format scenario -o incident.yaml`,
      )
      .action((file: string | undefined, options: Options) => run(file, options, terminal)),
};

async function run(file: string | undefined, options: Options, terminal: Terminal): Promise<void> {
  if (options.pretty === true && options.format !== undefined && options.format !== 'pretty') {
    throw new Exit(2, `--pretty and --format ${options.format} exclude each other`);
  }
  const name = file ?? 'standard input';
  const output = options.output === undefined ? undefined : WholeFile.create(options.output, options.force ?? false);
  try {
    const input = await openPayloads(openInput(file, terminal), options);
    if (options.format === 'scenario') await decodeToScenario(input, file, options, output, terminal);
    else await print(input, options, output, terminal);
    output?.complete();
  } catch (error) {
    if (error instanceof Exit && error.status === 1) throw new Exit(1, `${name}, ${error.message}`);
    const reason = fileError(error);
    if (reason !== undefined) throw new Exit(1, `${name}: ${reason}`);
    throw error;
  } finally {
    output?.discard();
  }
}

async function print(
  { places, payloads }: PayloadInput,
  options: Options,
  file: WholeFile | undefined,
  terminal: Terminal,
): Promise<void> {
  const decoder = createDecoder({
    inStream: options.inStream ?? false,
    ...(options.streaming === undefined ? {} : { streaming: options.streaming }),
  });
  const tracker = new TransactionTracker();
  const isPretty = options.pretty === true || options.format === 'pretty';
  const printer = isPretty ? new MessagePrinter(file === undefined && hasColor(terminal.stdout, terminal)) : undefined;
  const output = new Output(terminal.stdout);
  try {
    for await (const { bytes, lsn, end, xid: told, at } of payloads) {
      try {
        const message = decoder.decode(bytes);
        const xid = tracker.follow(message) ?? told;
        const line = printer ? printer.print(message) : messageLine(lsn, end, xid, bytes, message);
        if (file === undefined) output.line(line);
        else file.write(`${line}\n`);
      } catch (error) {
        if (error instanceof DecodeError) {
          throw new Exit(1, `${formatPlace(places, at)}: ${error.message}${streamHint(bytes, decoder)}`);
        }
        throw error;
      }
      if (output.full) await output.flush();
    }
  } finally {
    // What came before a mistake is right.
    await output.flush();
  }
}

/** What is captured in the middle of a streamed block reads as something else outside of one. */
function streamHint(bytes: Uint8Array, decoder: Decoder): string {
  if (decoder.inStream) return '';
  try {
    decodeMessage(bytes, { inStream: true });
  } catch {
    return '';
  }
  return '. As a message of a streamed block it can be read: --in-stream begins inside one';
}

function openInput(file: string | undefined, { stdin }: Terminal): Readable {
  return file === undefined || file === '-' ? stdin : createReadStream(file);
}
