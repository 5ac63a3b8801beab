/** Steps that the walsender carries out when it reaches them: labels, waits, network conditions, faults. */
import { byKind, exclusive, type VariantOf } from '../alternative.js';
import { object, optional, required } from '../object.js';
import {
  bandwidth,
  boolean,
  choice,
  count,
  duration,
  hexBytes,
  integer,
  name,
  parseLsnText,
  scalar,
  text,
} from '../scalars.js';
import type { JsonSchema } from '../json-schema.js';

/** The kinds of messages in a stream, as `encode` prints them. */
const messageKinds = [
  ...(['begin', 'commit', 'origin', 'relation', 'type', 'insert', 'update', 'delete', 'truncate', 'message'] as const),
  ...(['streamStart', 'streamStop', 'streamCommit', 'streamAbort'] as const),
  ...(['beginPrepare', 'prepare', 'commitPrepared', 'rollbackPrepared', 'streamPrepare'] as const),
] as const;
export type MessageKindName = (typeof messageKinds)[number];

/** A label, or a position by number. */
export const position = scalar<bigint | string>({
  expected: 'a label or an LSN',
  parse: (written) => parseLsnText(written) ?? (written === '' ? undefined : written),
  schema: { type: 'string' },
});

const switchedOff = (expected: string, schema: JsonSchema) =>
  scalar<number | 'off'>({
    expected,
    parse: (written) => (written === 'off' ? 'off' : /^[1-9]\d{0,8}$/.test(written) ? Number(written) : undefined),
    schema,
  });

const byteValue = scalar<number>({
  expected: 'a byte such as 0xFF',
  parse: (written) => {
    const byte = /^(?:0x[0-9A-Fa-f]{1,2}|\d{1,3})$/.test(written) ? Number(written) : 256;
    return byte < 256 ? byte : undefined;
  },
  schema: { type: ['integer', 'string'] },
});

const sqlState = scalar<string>({
  expected: 'an SQLSTATE: five digits or capital letters',
  parse: (written) => (/^[0-9A-Z]{5}$/.test(written) ? written : undefined),
  schema: { type: ['string', 'integer'] },
  hint: () => 'a code such as "58P01"',
});

export const errorFields = {
  code: required(sqlState, 'SQLSTATE.', '58P01'),
  message: required(text, 'Message.', 'requested WAL segment has already been removed'),
  severity: optional(choice('ERROR', 'FATAL', 'PANIC'), 'Severity. Default ERROR.', 'FATAL'),
  detail: optional(text, 'DETAIL.'),
  hint: optional(text, 'HINT.'),
};

/** Which slots' connections it happens to, and how often. */
const scope = {
  slot: optional(name, 'Only to the connection of this slot.', 'app_slot'),
  times: optional(count, 'How often it happens: a consumer that comes by more often goes on past it. Default 1.', 2),
};
const slot = { slot: scope.slot };

const networkFields = {
  chunk: optional(
    switchedOff('a number of bytes, or `off`', { anyOf: [{ type: 'integer', minimum: 1 }, { enum: ['off'] }] }),
    'Split the byte stream into segments of so many bytes.',
    1,
    'off',
  ),
  delay: optional(duration, 'Hold everything back for so long.', '20ms'),
  bandwidth: optional(bandwidth, 'No more bytes per second than this.', '64kB/s'),
  coalesce: optional(boolean, 'Gather what there is into few large segments.', true),
};

const wireFields = {
  hex: optional(hexBytes, 'These bytes as the payload of an XLogData message.', '55 00 00'),
  frame: optional(hexBytes, 'These bytes on the socket, unframed.', '64 00 00 00 04'),
  corrupt: optional(choice(...messageKinds), 'The next message of this kind, with one byte changed.', 'update'),
  byte: optional(count, 'Which byte of the pgoutput payload, from 0.', 1),
  to: optional(byteValue, 'What it becomes.', '0xFF'),
};

const wire = object(wireFields, {
  expected: '{ hex: … }, { frame: … } or { corrupt: KIND, byte: N, to: 0xFF }',
  check: (step, reader) => {
    exclusive(step, ['hex', 'frame', 'corrupt'], reader);
    const corrupting = ['corrupt', 'byte', 'to'].filter((key) => step.keys[key] !== undefined).length;
    if (corrupting === 0 && step.keys['hex'] === undefined && step.keys['frame'] === undefined) {
      reader.report('missing-key', step.at, '`wire` needs `hex`, `frame` or `corrupt`');
    } else if (corrupting > 0 && corrupting < 3) {
      reader.report('missing-key', step.at, '`wire` needs `corrupt`, `byte` and `to` together');
    }
  },
});

export const faultSteps = {
  label: { label: required(name, 'Names this WAL position.', 'after-first') },
  wait: { wait: required(duration, 'Hold back the WAL that follows for so long.', '250ms') },
  wait_for: {
    wait_for: required(
      object(
        {
          flushed: required(position, 'A label, or an LSN.', 'after-first'),
          within: optional(duration, 'After this the stream goes on, and the verdict says so. Default 10s.', '5s'),
          slot: slot.slot,
        },
        { expected: '{ flushed: LABEL, within: DURATION }' },
      ),
      'Hold back the WAL that follows until the consumer has confirmed a position.',
      { flushed: 'after-first', within: '5s' },
    ),
  },
  keepalive: {
    keepalive: required(
      byKind({
        expected: '{ reply: true }',
        map: object({ reply: optional(boolean, 'Ask for a reply at once.', true) }, { expected: '{ reply: true }' }),
        empty: () => ({ reply: undefined }),
      }),
      'Send a keepalive.',
      { reply: true },
    ),
  },
  network: {
    network: required(
      object(networkFields, { expected: 'network conditions such as { chunk: 1 }' }),
      'From here on, how bytes travel.',
      { chunk: 1 },
      { delay: '20ms', bandwidth: '64kB/s', coalesce: true },
    ),
    ...slot,
  },
  disconnect: {
    disconnect: required(
      object(
        {
          how: required(
            choice('reset', 'close', 'half-open', 'terminate'),
            'RST, FIN, silence for ever, or 57P01 and then FIN.',
            'reset',
          ),
        },
        { expected: '{ how: reset }' },
      ),
      'End the connection.',
      { how: 'reset' },
    ),
    ...scope,
  },
  error: {
    error: required(object(errorFields, { expected: 'an error: its code and message' }), 'Send an ErrorResponse.', {
      code: '58P01',
      message: 'requested WAL segment has already been removed',
    }),
    ...scope,
  },
  stall: {
    stall: required(duration, 'Send nothing for so long, with the socket open.', '90s'),
    keepalives: optional(boolean, 'Keepalives still go out.', true),
    ...scope,
  },
  cut: {
    cut: required(
      object(
        {
          in: required(choice('next_message', ...messageKinds), 'Which message.', 'update'),
          at: required(count, 'Bytes of the CopyData message that are sent before the close.', 7),
        },
        { expected: '{ in: KIND, at: BYTES }' },
      ),
      'Close the connection inside a message.',
      { in: 'update', at: 7 },
    ),
    ...scope,
  },
  wire: { wire: required(wire, 'Bytes that no server would send.', { hex: '55 00 00' }), ...scope },
  resend: {
    resend: required(
      object({ from: required(position, 'A label, or an LSN.', 'after-first') }, { expected: '{ from: LABEL }' }),
      'Deliver again what was sent before.',
      { from: 'after-first' },
    ),
    ...scope,
  },
  invalidate_slot: {
    invalidate_slot: required(
      object(
        {
          reason: required(
            choice('wal_removed', 'rows_removed', 'wal_level_insufficient', 'idle_timeout'),
            'Why.',
            'wal_removed',
          ),
        },
        { expected: '{ reason: wal_removed }' },
      ),
      'The slot is lost.',
      { reason: 'wal_removed' },
    ),
    ...scope,
  },
  drop_slot: { drop_slot: required(name, 'Drop a slot behind the back of its consumer.', 'app_slot'), ...scope },
  recreate_slot: { recreate_slot: required(name, 'Drop a slot and make it anew, here.', 'app_slot'), ...scope },
  failover: {
    failover: required(
      object(
        { timeline: required(integer(2, 0xffff_ffff, 'a timeline'), 'The new timeline.', 2) },
        { expected: '{ timeline: 2 }' },
      ),
      'The server is replaced by a promoted standby.',
      { timeline: 2 },
    ),
  },
  consumer: {
    consumer: required(
      choice('kill', 'stop', 'restart'),
      'Under `run`: what happens to the consumer command.',
      'restart',
    ),
  },
} as const;

export type FaultStep = VariantOf<typeof faultSteps>;
