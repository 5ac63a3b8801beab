/** What a client of any server asks pgoutput for. */
import { quoteIdentifier } from '../client/index.js';
import type { Streaming } from '../pgoutput/index.js';

export interface PluginOptions {
  readonly publication: readonly string[];
  readonly protoVersion?: number;
  readonly streaming?: Streaming;
  readonly twoPhase?: boolean;
  readonly binary?: boolean;
  readonly messages?: boolean;
  readonly origin?: 'any' | 'none';
}

/** The lowest version that has what is asked for, unless one is. */
export function protocolVersion({ protoVersion, streaming, twoPhase }: PluginOptions): number {
  return protoVersion ?? (streaming === 'parallel' ? 4 : twoPhase ? 3 : streaming === 'on' ? 2 : 1);
}

/** pgoutput's options: only those asked for, because older servers refuse the names of newer ones. */
export function pluginOptions(options: PluginOptions): [string, string][] {
  const list: [string, string][] = [
    ['proto_version', String(protocolVersion(options))],
    ['publication_names', options.publication.map(quoteIdentifier).join(',')],
  ];
  if (options.streaming) list.push(['streaming', options.streaming]);
  if (options.twoPhase) list.push(['two_phase', 'on']);
  if (options.binary) list.push(['binary', 'true']);
  if (options.messages) list.push(['messages', 'true']);
  if (options.origin) list.push(['origin', options.origin]);
  return list;
}
