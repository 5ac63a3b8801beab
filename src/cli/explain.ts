import { createReadStream, readFileSync, writeFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { styleText } from 'node:util';
import { Command, Option } from 'commander';
import {
  explainedToJson,
  Explainer,
  renderPage,
  TextDump,
  type ExplainedMessage,
  type Payload,
  type Style,
} from '../explain/index.js';
import { encodeScenario, type Scenario } from '../scenario/index.js';
import type { SourcePosition } from '../timeline/timeline.js';
import { parseLsn } from '../values/lsn.js';
import { WireError } from '../values/wire-error.js';
import { wholeNumber } from './arguments.js';
import { addClientOptions, clientOptions, type ClientArguments } from './client-options.js';
import { Exit } from './exit.js';
import { fileError } from './file-error.js';
import { Output } from './output.js';
import { formatPlace, openPayloads } from './payload-input.js';
import type { Verb } from './program.js';
import { addScenarioOptions, loadOneScenario, type ScenarioOptions } from './scenarios.js';
import { hasColor, type Terminal } from './terminal.js';

interface Options extends ScenarioOptions, ClientArguments {
  readonly header?: boolean;
  readonly full?: boolean;
  readonly json?: boolean;
  readonly html?: string;
  readonly limit?: number;
  readonly raw?: boolean;
  readonly inStream?: boolean;
}

/** A page of more than these takes a browser seconds to open. */
const pageLimit = 1000;

export const explain: Verb = {
  command: (terminal) =>
    addClientOptions(addScenarioOptions(new Command()))
      .description(
        'Prints the messages of a stream byte by byte: offset, bytes, field, value, meaning, and the scenario line that\n' +
          'each message came from. Takes a scenario (a file called .yaml or .yml), with the options of encode, or captured\n' +
          'payloads in any form that decode takes (- is standard input).',
      )
      .argument('<scenario|file>', 'a scenario, or captured payloads')
      .option('--html <file>', 'write a page instead, in which fields and bytes show each other')
      .addOption(new Option('--json', 'JSON lines').conflicts('html'))
      .option('--header', "XLogData's header before each payload, too")
      .option('--full', 'every byte of long values')
      .option(
        '--limit <n>',
        `stop after n messages (default: ${pageLimit} in a page)`,
        wholeNumber(1, Number.MAX_SAFE_INTEGER),
      )
      .option('--raw', 'captured payloads are binary, with an Int32 length before each')
      .option('--in-stream', 'the first captured payload stands inside a streamed block')
      .addHelpText(
        'after',
        `
Examples:
  fake-walsender explain scenarios/key-change.yaml
  fake-walsender explain scenarios/large-streamed-transaction.yaml --proto-version 2 --streaming on --html stream.html
  echo 4200000000015001d00002ed3b4d5c5c40000002ef | fake-walsender explain -`,
      )
      .action((file: string, options: Options) => run(file, options, terminal)),
};

async function run(file: string, options: Options, terminal: Terminal): Promise<void> {
  const stream = await openStream(file, options, terminal);
  if (options.html === undefined) await print(stream, options, terminal);
  else await writePage(options.html, stream, options, terminal);
}

interface Stream {
  readonly title: string;
  /** Said below the title. */
  readonly facts: readonly string[];
  readonly messages: AsyncIterable<ExplainedMessage>;
}

async function openStream(file: string, options: Options, terminal: Terminal): Promise<Stream> {
  const isScenario = /\.ya?ml$/i.test(file);
  refuseOptions(options, isScenario);
  return isScenario ? openScenario(file, options, terminal) : openCapture(file, options, terminal);
}

/** @throws Exit for an option that means nothing here */
function refuseOptions(options: Options, isScenario: boolean): void {
  const strange = isScenario
    ? (['raw', 'inStream'] as const)
    : ([
        'protoVersion',
        'twoPhase',
        'binary',
        'messages',
        'origin',
        'publication',
        'late',
        'seed',
        'serverVersion',
        'header',
      ] as const);
  const name = strange.find((option) => options[option] !== undefined);
  if (name === undefined) return;
  const option = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw new Exit(2, `--${option} is for ${isScenario ? 'captured payloads' : 'scenarios'}`);
}

async function openScenario(file: string, options: Options, terminal: Terminal): Promise<Stream> {
  const scenario = await loadOneScenario(file, options, terminal);
  const said = clientOptions(options);
  const { protoVersion, streaming, twoPhase, binary } = { ...scenario.client, ...said };
  return {
    title: scenario.title,
    facts: [
      scenario.file,
      `PostgreSQL ${scenario.server.version}`,
      `protocol version ${protoVersion}`,
      ...(streaming === 'off' ? [] : [`streaming ${streaming}`]),
      ...(twoPhase ? ['two-phase'] : []),
      ...(binary ? ['binary'] : []),
    ],
    messages: explainAll(
      scenarioPayloads(scenario, said, terminal),
      new Explainer({ streaming, header: options.header ?? false }),
    ),
  };
}

function openCapture(file: string, options: Options, { stdin }: Terminal): Stream {
  const { raw, inStream = false, streaming } = options;
  const name = file === '-' ? 'standard input' : file;
  return {
    title: `Captured payloads: ${name}`,
    facts: streaming === undefined ? [] : [`streaming ${streaming}`],
    messages: explainAll(
      capturedPayloads(file === '-' ? stdin : createReadStream(file), name, { raw: raw ?? false, streaming }),
      new Explainer({ inStream, ...(streaming && { streaming }) }),
    ),
  };
}

async function* explainAll(
  payloads: AsyncIterable<Payload> | Iterable<Payload>,
  explainer: Explainer,
): AsyncGenerator<ExplainedMessage> {
  for await (const payload of payloads) yield explainer.next(payload);
}

function* scenarioPayloads(
  scenario: Scenario,
  client: ReturnType<typeof clientOptions>,
  { stderr }: Terminal,
): Generator<Payload> {
  const notice = ({ severity, message }: WireError): void =>
    void stderr.write(`the server says ${severity}: ${message}\n`);
  try {
    for (const { payload, lsn, time, source } of encodeScenario(scenario, client, notice))
      yield { bytes: payload, lsn, time, source };
  } catch (error) {
    if (error instanceof WireError)
      throw new Exit(1, `the server says ${error.severity}: ${error.message} (${error.code})`);
    throw error;
  }
}

async function* capturedPayloads(
  input: Readable,
  name: string,
  shape: Parameters<typeof openPayloads>[1],
): AsyncGenerator<Payload> {
  try {
    const { places, payloads } = await openPayloads(input, shape);
    for await (const { bytes, lsn, at } of payloads) {
      const place = formatPlace(places, at);
      yield { bytes, place, lsn: lsn === null ? undefined : position(lsn, place) };
    }
  } catch (error) {
    if (error instanceof Exit) throw new Exit(error.status, `${name}, ${error.message}`);
    const reason = fileError(error);
    if (reason !== undefined) throw new Exit(1, `${name}: ${reason}`);
    throw error;
  }
}

function position(lsn: string, place: string): bigint {
  try {
    return parseLsn(lsn);
  } catch (error) {
    throw new Exit(1, `${place}: ${(error as Error).message}`);
  }
}

async function print({ messages }: Stream, { json, full, limit }: Options, terminal: Terminal): Promise<void> {
  const color = hasColor(terminal.stdout, terminal);
  const dump = new TextDump({ full: full ?? false, ...(color && { paint }) });
  const output = new Output(terminal.stdout);
  let unreadable = 0;
  try {
    for await (const message of messages) {
      if (limit !== undefined && message.number > limit) {
        terminal.stderr.write(`stopped after ${limit} messages, there are more\n`);
        break;
      }
      if (message.error !== null) unreadable++;
      if (json) output.line(JSON.stringify(explainedToJson(message)));
      else for (const line of dump.lines(message)) output.line(line);
      if (output.full) await output.flush();
    }
  } finally {
    await output.flush();
  }
  failIfUnreadable(unreadable);
}

const styles: Readonly<Record<Style, Parameters<typeof styleText>[0]>> = {
  title: 'bold',
  kind: ['bold', 'cyan'],
  faint: 'dim',
  value: 'yellow',
  error: 'red',
};

function paint(style: Style, text: string): string {
  return styleText(styles[style], text);
}

async function writePage(
  file: string,
  { title, facts, messages }: Stream,
  { full, limit = pageLimit }: Options,
  terminal: Terminal,
): Promise<void> {
  const shown: ExplainedMessage[] = [];
  let more = false;
  for await (const message of messages) {
    more = shown.length === limit;
    if (more) break;
    shown.push(message);
  }
  const page = await renderPage(shown, { title, facts, full: full ?? false, more, lineOf: sourceLines() });
  try {
    writeFileSync(file, page);
  } catch (error) {
    throw new Exit(1, `${file}: ${(error as Error).message}`);
  }
  if (more) terminal.stderr.write(`${file}: the first ${limit} messages, there are more (--limit takes more)\n`);
  failIfUnreadable(shown.filter(({ error }) => error !== null).length);
}

/** @throws Exit when bytes were no message: they are shown, and yet something is wrong */
function failIfUnreadable(count: number): void {
  if (count === 1) throw new Exit(1, 'one of the payloads is no message that can stand there');
  if (count > 1) throw new Exit(1, `${count} of the payloads are no messages that can stand there`);
}

/** The text of lines, of files that have been read before. */
function sourceLines(): (source: SourcePosition) => string | undefined {
  const files = new Map<string, readonly string[]>();
  return ({ file, line }) => {
    let lines = files.get(file);
    if (lines === undefined) {
      lines = readFileSync(file, 'utf8').split('\n');
      files.set(file, lines);
    }
    return lines[line - 1];
  };
}
