/** What `explain` explains: the messages of a scenario, or captured payloads. */
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { Explainer, type ExplainedMessage, type Payload } from '../explain/index.js';
import { encodeScenario, type Scenario } from '../scenario/index.js';
import { parseLsn } from '../values/lsn.js';
import { WireError } from '../values/wire-error.js';
import { clientOptions, type ClientArguments } from './client-options.js';
import { Exit } from './exit.js';
import { fileError } from './file-error.js';
import { formatPlace, openPayloads } from './payload-input.js';
import { loadOneScenario, type ScenarioOptions } from './scenarios.js';
import type { Terminal } from './terminal.js';

export interface StreamOptions extends ScenarioOptions, ClientArguments {
  readonly header?: boolean;
  readonly raw?: boolean;
  readonly inStream?: boolean;
}

export interface ExplainedStream {
  readonly title: string;
  /** Said below the title. */
  readonly facts: readonly string[];
  readonly messages: AsyncIterable<ExplainedMessage>;
}

/** @param file - a scenario if it is called .yaml or .yml; `-` for standard input */
export async function openStream(file: string, options: StreamOptions, terminal: Terminal): Promise<ExplainedStream> {
  const isScenario = /\.ya?ml$/i.test(file);
  refuseOptions(options, isScenario);
  return isScenario ? openScenario(file, options, terminal) : openCapture(file, options, terminal);
}

/** @throws Exit for an option that means nothing here */
function refuseOptions(options: StreamOptions, isScenario: boolean): void {
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

async function openScenario(file: string, options: StreamOptions, terminal: Terminal): Promise<ExplainedStream> {
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

function openCapture(file: string, options: StreamOptions, { stdin }: Terminal): ExplainedStream {
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
