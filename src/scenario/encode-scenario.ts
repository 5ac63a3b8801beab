/** What a client receives from a fresh slot, without a server. */
import { encode } from '../pgoutput/encode.js';
import type { Message } from '../pgoutput/messages.js';
import { defaultSettings, majorFacts } from '../postgres/index.js';
import { createEmitter } from '../timeline/emit.js';
import type { SourcePosition } from '../timeline/timeline.js';
import type { EmitSink, PgoutputOptions } from '../timeline/emitter.js';
import { WireError } from '../values/wire-error.js';
import type { Scenario } from './scenario.js';
import type { ClientOptions } from './settings.js';

/** One XLogData message. */
export interface EncodedMessage {
  /** XLogData's start and end, which are the same. */
  readonly lsn: bigint;
  readonly end: bigint;
  /** The top-level transaction's; null outside one. */
  readonly xid: number | null;
  readonly kind: Message['kind'];
  readonly payload: Uint8Array;
  readonly message: Message;
  /** XLogData's send time: microseconds since 2000. */
  readonly time: bigint;
  /** Where the scenario says so; null for what has no text. */
  readonly source: SourcePosition | null;
}

/** What a scenario takes for a client that says nothing else. */
export const anyPublication = 'pub';

/**
 * Waits, network conditions and faults are passed over.
 * @param client - what differs from the scenario's `client:`
 * @param onNotice - gets the NoticeResponses inside the stream
 * @returns a lazy iterable; each iteration starts anew. Iterating throws WireError where the server raises one,
 * ScenarioError where a late round of a `repeat` cannot be carried out.
 * @throws WireError for options that the server refuses
 */
export function encodeScenario(
  scenario: Scenario,
  client: Partial<ClientOptions> = {},
  onNotice?: (notice: WireError) => void,
): Iterable<EncodedMessage> {
  const options = { ...scenario.client, ...client };
  const pgoutput = pgoutputOptions(options, scenario);
  return { [Symbol.iterator]: () => messages(scenario, pgoutput, options, onNotice) };
}

function* messages(
  { timeline, server }: Scenario,
  options: PgoutputOptions,
  { late, startLsn = server.startLsn }: Pick<ClientOptions, 'late' | 'startLsn'>,
  onNotice: ((notice: WireError) => void) | undefined,
): Generator<EncodedMessage> {
  const { major } = server;
  const waiting: EncodedMessage[] = [];
  const { protoVersion, streaming } = options;
  const context = { protoVersion, streaming, inStream: false };
  const sink: EmitSink = {
    message(message, lsn, time, xid) {
      const payload = encode(message, context);
      const { kind } = message;
      const source = emitter.sourceOf(kind) ?? null;
      waiting.push({ lsn, end: lsn, xid: xid === 0 ? null : xid, kind, payload, message, time, source });
      if (message.kind === 'streamStart') context.inStream = true;
      else if (message.kind === 'streamStop') context.inStream = false;
    },
    notice: (notice) => onNotice?.(notice),
  };
  const session = { slotName: 'encode', options, settings: defaultSettings(major), startLsn, late };
  const emitter = createEmitter(
    timeline,
    { ...session, twoPhase: options.twoPhase, twoPhaseAt: server.startLsn },
    sink,
  );
  while (emitter.next().kind !== 'idle') {
    yield* waiting;
    waiting.length = 0;
  }
  yield* waiting;
}

/** @throws WireError as START_REPLICATION would */
function pgoutputOptions(client: ClientOptions, { server, publications }: Scenario): PgoutputOptions {
  const { protoVersion, streaming, twoPhase, binary, messages: logicalMessages, origin } = client;
  const facts = majorFacts(server.major);
  const has = (option: string, wanted: boolean, supported: boolean): void => {
    if (wanted && !supported) refuse('XX000', `unrecognized pgoutput option: ${option}`);
  };
  has('binary', binary, facts.optionBinary);
  has('messages', logicalMessages, facts.optionMessages);
  has('streaming', streaming !== 'off', facts.optionStreaming);
  has('two_phase', twoPhase, facts.optionTwoPhase);
  has('origin', origin !== 'any', facts.optionOrigin);
  if (streaming === 'parallel' && !facts.optionStreamingParallel) refuse('42601', 'streaming requires a Boolean value');
  if (protoVersion > facts.maxProtoVersion) {
    const subject = server.major >= 16 ? 'server only supports' : 'we only support';
    const message = `client sent proto_version=${protoVersion} but ${subject} protocol ${facts.maxProtoVersion} or lower`;
    refuse('0A000', message);
  }
  const requested = `requested proto_version=${protoVersion} does not support`;
  if (streaming !== 'off' && protoVersion < 2) refuse('22023', `${requested} streaming, need 2 or higher`);
  if (streaming === 'parallel' && protoVersion < 4) {
    refuse('22023', `${requested} parallel streaming, need 4 or higher`);
  }
  if (twoPhase && protoVersion < 3) refuse('22023', `${requested} two-phase commit, need 3 or higher`);
  const publicationNames = client.publications ?? publications ?? [anyPublication];
  return { protoVersion, publicationNames, streaming, twoPhase, binary, messages: logicalMessages, origin };
}

function refuse(code: string, message: string): never {
  throw new WireError({ code, message });
}
