import { Command, Option } from 'commander';
import { beginXLogData } from '../protocol/backend-messages.js';
import { encodeScenario, type EncodedMessage, type Scenario } from '../scenario/index.js';
import { formatLsn } from '../values/lsn.js';
import { WireError } from '../values/wire-error.js';
import { addClientOptions, clientOptions, type ClientArguments } from './client-options.js';
import { Exit } from './exit.js';
import { hex, messageLine } from './message-line.js';
import { Output } from './output.js';
import type { Verb } from './program.js';
import { addScenarioOptions, loadOneScenario, type ScenarioOptions } from './scenarios.js';
import type { Terminal } from './terminal.js';

type Format = 'jsonl' | 'hex' | 'raw' | 'copydata';

interface Options extends ScenarioOptions, ClientArguments {
  readonly format: Format;
}

export const encode: Verb = {
  command: (terminal) =>
    addClientOptions(addScenarioOptions(new Command()))
      .description(
        'Prints the messages that a client receives from a fresh slot, without a server.\n' +
          "What the client negotiated is the file's client:, else protocol version 1 and nothing more.\n" +
          'Waits, network conditions and faults are passed over.',
      )
      .argument('<scenario>', 'a file')
      .addOption(
        new Option('--format <format>', 'JSON lines; hex lines; payloads with an Int32 length; whole CopyData messages')
          .choices(['jsonl', 'hex', 'raw', 'copydata'])
          .default('jsonl'),
      )
      .addHelpText(
        'after',
        `
Examples:
  fake-walsender encode scenarios/key-change.yaml
  fake-walsender encode scenarios/large-streamed-transaction.yaml --proto-version 2 --streaming on --format hex
  fake-walsender encode scenarios/key-change.yaml --server-version 13 --format copydata > stream.bin`,
      )
      .action((pattern: string, options: Options) => run(pattern, options, terminal)),
};

async function run(pattern: string, options: Options, terminal: Terminal): Promise<void> {
  const scenario = await loadOneScenario(pattern, options, terminal);
  const output = new Output(terminal.stdout);
  const write = writers[options.format];
  try {
    for (const message of messages(scenario, options, terminal)) {
      write(message, output);
      if (output.full) await output.flush();
    }
  } catch (error) {
    if (error instanceof WireError)
      throw new Exit(1, `the server says ${error.severity}: ${error.message} (${error.code})`);
    throw error;
  } finally {
    await output.flush();
  }
}

const writers: Readonly<Record<Format, (message: EncodedMessage, output: Output) => void>> = {
  jsonl: ({ lsn, end, xid, payload, message }, output) =>
    output.line(messageLine(formatLsn(lsn), formatLsn(end), xid, payload, message)),
  hex: ({ payload }, output) => output.line(hex(payload)),
  raw: ({ payload }, { writer }) => writer.sizedRaw(payload),
  copydata: ({ lsn, end, time, payload }, { writer }) => {
    const block = beginXLogData(writer, lsn, end, time);
    writer.raw(payload);
    writer.endBlock(block);
  },
};

function messages(scenario: Scenario, options: Options, { stderr }: Terminal): Iterable<EncodedMessage> {
  return encodeScenario(scenario, clientOptions(options), ({ severity, message }) =>
    stderr.write(`the server says ${severity}: ${message}\n`),
  );
}
