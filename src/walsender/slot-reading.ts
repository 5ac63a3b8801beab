/** Reading a slot by SQL: pg_logical_slot_(get|peek)_(binary_)changes. */
import { encode } from '../pgoutput/encode.js';
import type { Message, MessageContext } from '../pgoutput/messages.js';
import type { OutputSettings } from '../postgres/pg-type.js';
import { pgoutputOptions } from '../protocol/pgoutput-options.js';
import type { ScenarioStep } from '../scenario/steps.js';
import type { DecodedChange, SlotRead } from '../sql/host.js';
import type { EmitSink, PgoutputOptions } from '../timeline/emitter.js';
import { WireError } from '../values/wire-error.js';
import type { Cluster } from './cluster.js';
import { inStartupCallback, notReady } from './command-errors.js';
import type { PublishedDatabase } from './published-database.js';
import type { Slot } from './slot.js';
import { checkLogicalDecoding, checkPlugin } from './slot-creation.js';
import { slotInvalidated } from './slot-errors.js';
import { StepPlaces } from './step-board.js';

/**
 * Decodes whole transactions until a limit is reached or WAL ends. The reader is one that WAL is written for, as a walsender
 * is; it performs no steps, but waits for nobody either: a wait that is not over ends it.
 *
 * @throws WireError as START_REPLICATION … LOGICAL would
 */
export function* readSlot(
  cluster: Cluster,
  home: PublishedDatabase,
  request: SlotRead,
  settings: OutputSettings,
): Generator<DecodedChange> {
  checkLogicalDecoding(cluster, home);
  const database = cluster.databaseOfSlot(request.slot, home);
  const slot = cluster.slots.acquire(request.slot, request.pid);
  try {
    const options = checkedOptions(cluster, database, slot, request);
    const collected = new Collector(options, request.notice);
    const startLsn = slot.confirmedFlushLsn ?? 0n;
    const emitter = cluster.createEmitter(
      database.timeline,
      {
        slotName: slot.name,
        options,
        settings,
        startLsn,
        twoPhase: slot.twoPhase,
        twoPhaseAt: slot.twoPhaseAt ?? 0n,
        late: database.late,
      },
      collected,
    );
    const places = new StepPlaces();
    let count = 0;
    for (;;) {
      const progress = emitter.next();
      yield* collected.changes;
      count += collected.changes.length;
      collected.changes.length = 0;
      if (progress.kind === 'idle') break;
      if (progress.kind === 'step') {
        const place = places.next(progress.lsn);
        const step = progress.step as ScenarioStep;
        const now = cluster.config.clock.monotonic();
        if (step.kind === 'wait' && database.steps.waitUntil(place, now, step.milliseconds) > now) break;
      }
      if (emitter.inTransaction) continue;
      database.advance(emitter.position);
      if (request.upToLsn !== null && emitter.position >= request.upToLsn) break;
      if (request.upToCount !== null && count >= request.upToCount) break;
    }
    if (request.confirm) cluster.slots.confirm(slot, emitter.position);
  } finally {
    cluster.slots.release(slot, request.pid, cluster.config.clock.now());
  }
}

function checkedOptions(cluster: Cluster, database: PublishedDatabase, slot: Slot, request: SlotRead): PgoutputOptions {
  if (slot.plugin === null) throw notReady('cannot use physical replication slot for logical decoding');
  if (slot.database !== database.name)
    throw notReady(`replication slot "${slot.name}" was not created in this database`);
  if (slot.invalidationReason !== null) throw slotInvalidated(slot, cluster.major);
  checkPlugin(slot.plugin, cluster.major);
  try {
    return pgoutputOptions(
      request.options.map(([name, value]) => ({ name, value })),
      cluster.major,
    );
  } catch (error) {
    throw error instanceof WireError ? inStartupCallback(error, slot.name) : error;
  }
}

class Collector implements EmitSink {
  readonly changes: DecodedChange[] = [];
  #context: MessageContext;

  constructor(
    { protoVersion, streaming }: PgoutputOptions,
    readonly notice: (notice: WireError) => void,
  ) {
    this.#context = { protoVersion, streaming, inStream: false };
  }

  message(message: Message, lsn: bigint, _time: bigint, xid: number): void {
    this.changes.push({ lsn, xid, data: encode(message, this.#context) });
    if (message.kind === 'streamStart' || message.kind === 'streamStop') {
      this.#context = { ...this.#context, inStream: message.kind === 'streamStart' };
    }
  }
}
