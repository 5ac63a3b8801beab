/** What the product sends for a scenario to the client of one captured stream. */
import { Writer } from '../../../src/bytes/writer.js';
import { encodeInto } from '../../../src/pgoutput/encode.js';
import type { Message, MessageContext } from '../../../src/pgoutput/messages.js';
import { pgoutputOptions } from '../../../src/protocol/pgoutput-options.js';
import { readScenario, requireScenario, type ScenarioStep } from '../../../src/scenario/index.js';
import { createEmitter } from '../../../src/timeline/emit.js';
import type { EmitSession, EmitSink } from '../../../src/timeline/emitter.js';
import { WireError } from '../../../src/values/wire-error.js';
import type { ServerMessage } from '../client/capture.js';
import type { StreamRun, VariantRun, WorkloadRun } from '../run/run.js';
import { outputSettings } from './output-settings.js';

export interface SentMessage {
  readonly lsn: bigint;
  readonly payload: Buffer;
}

/** A stream, real or emulated. */
export interface Sent {
  readonly messages: readonly SentMessage[];
  readonly notices: readonly ServerMessage[];
  readonly error: ServerMessage | undefined;
}

/** @param writeScenario - called only when the options are accepted. @throws ScenarioError and whatever else the product throws */
export function emulate(
  run: WorkloadRun,
  { variant, slotLsn }: VariantRun,
  stream: StreamRun,
  writeScenario: () => string,
): Sent {
  const recorder = new Recorder();
  try {
    const given = Object.entries(stream.options).map(([name, value]) => ({ name, value }));
    const options = pgoutputOptions(given, run.major);
    const { timeline } = requireScenario(readScenario(writeScenario()));
    recorder.context = { protoVersion: options.protoVersion, streaming: options.streaming, inStream: false };
    const session: EmitSession = {
      slotName: 'oracle',
      options,
      settings: outputSettings(variant.gucs, run.major),
      startLsn: stream.startLsn,
      twoPhase: variant.slot.two_phase || options.twoPhase,
      twoPhaseAt: variant.slot.two_phase ? slotLsn : stream.startLsn,
      late: !run.live,
      immediate: variant.gucs['debug_logical_replication_streaming'] === 'immediate',
    };
    const emitter = createEmitter(timeline, session, recorder);
    for (let progress = emitter.next(); progress.kind !== 'idle'; progress = emitter.next()) {
      if (progress.kind === 'step' && (progress.step as ScenarioStep).kind === 'label') break;
    }
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    recorder.error = serverMessage(error);
  }
  return recorder;
}

class Recorder implements EmitSink, Sent {
  readonly messages: SentMessage[] = [];
  readonly notices: ServerMessage[] = [];
  error: ServerMessage | undefined;
  context: MessageContext = { protoVersion: 1, streaming: 'off', inStream: false };
  readonly #writer = new Writer();

  message(message: Message, lsn: bigint): void {
    if (message.kind === 'streamStart' || message.kind === 'streamStop')
      this.context = { ...this.context, inStream: false };
    this.#writer.position = 0;
    encodeInto(this.#writer, message, this.context);
    this.messages.push({ lsn, payload: Buffer.from(this.#writer.copy()) });
    if (message.kind === 'streamStart') this.context = { ...this.context, inStream: true };
  }

  notice(notice: WireError): void {
    this.notices.push(serverMessage(notice));
  }
}

function serverMessage({ severity, code, message }: WireError): ServerMessage {
  return { severity, code, message };
}
