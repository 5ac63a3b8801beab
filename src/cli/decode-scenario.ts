/** `decode --format scenario`. */
import { basename } from 'node:path';
import type { Streaming } from '../pgoutput/index.js';
import { CollectError, decompile } from '../scenario/decompile/decompile.js';
import { parseLsn } from '../values/lsn.js';
import { Spool } from './capture/spool.js';
import type { WholeFile } from './capture/whole-file.js';
import { Exit } from './exit.js';
import { writeTo } from './output.js';
import { formatPlace, type PayloadInput } from './payload-input.js';
import type { Terminal } from './terminal.js';

interface Options {
  readonly title?: string;
  readonly serverVersion?: string;
  readonly streaming?: Streaming;
  readonly inStream?: boolean;
}

/** @throws Exit where the capture is not that of a session from its start */
export async function decodeToScenario(
  { places, payloads }: PayloadInput,
  file: string | undefined,
  options: Options,
  output: WholeFile | undefined,
  { stdout, stderr }: Terminal,
): Promise<void> {
  if (options.inStream === true) {
    throw new Exit(
      2,
      'a scenario needs the capture from the start of a transaction on: --in-stream does not go with it',
    );
  }
  const spool = new Spool();
  try {
    for await (const { bytes, lsn, at } of payloads) {
      spool.add(bytes, lsn === null ? null : position(lsn, formatPlace(places, at)), at);
    }
    const messages = spool.messages(options.streaming, (error, at) => {
      throw new Exit(1, `${formatPlace(places, at)}: ${error.message}`);
    });
    const scenario = decompile(messages, {
      title: options.title ?? (file === undefined ? 'Captured stream' : basename(file).replace(/\.\w+$/, '')),
      ...(options.serverVersion !== undefined && { serverVersion: options.serverVersion }),
      ...(options.streaming !== undefined && { client: { streaming: options.streaming } }),
      onNote: (note) => stderr.write(`${note}\n`),
    });
    for (const piece of scenario) {
      if (output === undefined) await writeTo(stdout, piece);
      else output.write(piece);
    }
  } catch (error) {
    if (!(error instanceof CollectError)) throw error;
    throw new Exit(1, `${formatPlace(places, spool.placeOf(error.index))}: ${error.message}`);
  } finally {
    spool.close();
  }
}

function position(lsn: string, place: string): bigint {
  try {
    return parseLsn(lsn);
  } catch (error) {
    throw new Exit(1, `${place}: ${(error as Error).message}`);
  }
}
