import { readFileSync, writeFileSync } from 'node:fs';
import { styleText } from 'node:util';
import { Command, Option } from 'commander';
import { explainedToJson, renderPage, TextDump, type ExplainedMessage, type Style } from '../explain/index.js';
import type { SourcePosition } from '../timeline/timeline.js';
import { wholeNumber } from './arguments.js';
import { addClientOptions } from './client-options.js';
import { Exit } from './exit.js';
import { openStream, type ExplainedStream, type StreamOptions } from './explain-stream.js';
import { fileError } from './file-error.js';
import { Output } from './output.js';
import type { Verb } from './program.js';
import { addScenarioOptions } from './scenarios.js';
import { hasColor, type Terminal } from './terminal.js';

interface Options extends StreamOptions {
  readonly full?: boolean;
  readonly json?: boolean;
  readonly html?: string;
  readonly limit?: number;
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

async function print({ messages }: ExplainedStream, { json, full, limit }: Options, terminal: Terminal): Promise<void> {
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
  { title, facts, messages }: ExplainedStream,
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
    throw new Exit(1, `${file}: ${fileError(error) ?? (error as Error).message}`);
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
