/** pgoutput's options, checked by server major as the plugin's startup callback does (manual: "Logical Streaming Replication Parameters"). */
import type { Streaming } from '../pgoutput/messages.js';
import type { PgoutputOptions } from '../timeline/emitter.js';
import { WireError } from '../values/wire-error.js';
import { parseIdentifierList } from './identifier.js';
import type { PluginOption } from './replication-command.js';
import { booleanOption, booleanValue, conflicting } from './slot-options.js';

/** A real backend dereferences NULL here and dies: the client sees its connection closed without a message. */
export class ServerCrash extends Error {
  constructor(option: string) {
    super(`a real server crashes on option ${option} without a value`);
    this.name = 'ServerCrash';
  }
}

const optionsSince: Readonly<Record<string, number>> = {
  proto_version: 10,
  publication_names: 10,
  binary: 14,
  messages: 14,
  streaming: 14,
  two_phase: 15,
  origin: 16,
};

export function highestProtoVersion(major: number): number {
  return major >= 16 ? 4 : major === 15 ? 3 : major === 14 ? 2 : 1;
}

/**
 * @throws WireError as the server words it (field W is the caller's, who knows the slot); ServerCrash.
 */
export function pgoutputOptions(options: readonly PluginOption[], major: number): PgoutputOptions {
  const given = new Set<string>();
  let protoVersion = 0;
  let publicationNames: readonly string[] = [];
  let binary = false;
  let messages = false;
  let streaming: Streaming = 'off';
  let twoPhase = false;
  let origin: 'any' | 'none' = 'any';
  for (const option of options) {
    if (!(major >= (optionsSince[option.name] ?? Infinity))) {
      throw new WireError({ code: 'XX000', message: `unrecognized pgoutput option: ${option.name}` });
    }
    if (given.has(option.name)) throw conflicting();
    given.add(option.name);
    switch (option.name) {
      case 'proto_version':
        protoVersion = protoVersionOf(requiredValue(option), major);
        break;
      case 'publication_names':
        publicationNames = publicationNamesOf(requiredValue(option));
        break;
      case 'binary':
        binary = booleanOption(option);
        break;
      case 'messages':
        messages = booleanOption(option);
        break;
      case 'streaming':
        streaming = streamingOf(option, major);
        break;
      case 'two_phase':
        twoPhase = booleanOption(option);
        break;
      default:
        origin = originOf(option);
    }
  }
  if (major >= 17) {
    for (const name of ['proto_version', 'publication_names']) {
      if (!given.has(name)) throw invalid(`option "${name}" missing`);
    }
  }
  checkProtoVersion(protoVersion, major);
  if (major < 17 && publicationNames.length === 0) throw invalid('publication_names parameter missing');
  const requested = `requested proto_version=${protoVersion} does not support`;
  if (streaming !== 'off' && protoVersion < 2) throw invalid(`${requested} streaming, need 2 or higher`);
  if (streaming === 'parallel' && protoVersion < 4) throw invalid(`${requested} parallel streaming, need 4 or higher`);
  if (twoPhase && protoVersion < 3) throw invalid(`${requested} two-phase commit, need 3 or higher`);
  return { protoVersion, publicationNames, binary, messages, streaming, twoPhase, origin };
}

function requiredValue({ name, value }: PluginOption): string {
  if (value === null) throw new ServerCrash(name);
  return value;
}

/** Up to 14 the text goes through the server's integer parser, from 15 through C's strtoul: they differ at the edges. */
function protoVersionOf(text: string, major: number): number {
  const number =
    major < 15 ? /^[ \t\n\v\f\r]*([-+]?\d+)[ \t\n\v\f\r]*$/.exec(text) : /^[ \t\n\v\f\r]*([-+]?\d+)$/.exec(text);
  if (!number) {
    if (text === '' && major >= 15 && major < 20) return 0;
    throw invalid('invalid proto_version');
  }
  let value = BigInt(number[1]!.replace(/^\+/, ''));
  if (major < 15) {
    if (BigInt.asIntN(64, value) !== value) throw invalid('invalid proto_version');
  } else {
    if (value >= 1n << 64n || value <= -(1n << 64n)) throw invalid('invalid proto_version');
    value = BigInt.asUintN(64, value);
  }
  if (value < 0n || value > 0xffff_ffffn) throw invalid(`proto_version "${text}" out of range`);
  return Number(value);
}

function checkProtoVersion(version: number, major: number): void {
  const highest = highestProtoVersion(major);
  if (version >= 1 && version <= highest) return;
  // The server prints the unsigned number with %d.
  const sent = `client sent proto_version=${version | 0} but ${major >= 16 ? 'server only supports' : 'we only support'} protocol`;
  throw new WireError({ code: '0A000', message: version < 1 ? `${sent} 1 or higher` : `${sent} ${highest} or lower` });
}

function publicationNamesOf(text: string): readonly string[] {
  const names = parseIdentifierList(text);
  if (!names) throw new WireError({ code: '42602', message: 'invalid publication_names syntax' });
  return names;
}

function streamingOf(option: PluginOption, major: number): Streaming {
  if (major >= 16) {
    if (option.value?.toLowerCase() === 'parallel') return 'parallel';
    if (booleanValue(option.value) === undefined) {
      throw new WireError({ code: '42601', message: 'streaming requires a Boolean value or "parallel"' });
    }
  }
  return booleanOption(option) ? 'on' : 'off';
}

function originOf({ value }: PluginOption): 'any' | 'none' {
  if (value === null) throw new WireError({ code: '42601', message: 'origin requires a parameter' });
  const word = value.toLowerCase();
  if (word === 'any' || word === 'none') return word;
  throw invalid(`unrecognized origin value: "${value}"`);
}

function invalid(message: string): WireError {
  return new WireError({ code: '22023', message });
}
