/** Steps that the walsender carries out when it reaches them: labels, waits, network conditions, faults. */
import { byKind, exclusive, type VariantOf } from '../alternative.js';
import { mapOf, object, optional, required } from '../object.js';
import {
  bandwidth,
  boolean,
  choice,
  count,
  duration,
  hexBytes,
  integer,
  name,
  parseBandwidth,
  parseLsnText,
  scalar,
  text,
  time,
} from '../scalars.js';
import { exactlyOneGroupOf, type JsonSchema } from '../json-schema.js';

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

/** Bytes ahead of or behind where the stream stands. */
export interface Offset {
  readonly bytes: bigint;
}

const bytesPerUnit: Readonly<Record<string, bigint>> = { B: 1n, kB: 1024n, MB: 1024n ** 2n, GB: 1024n ** 3n };

/** A position, or how far from where the stream stands. */
const positionOrOffset = scalar<bigint | string | Offset>({
  expected: 'a label, an LSN, or a distance such as +64MB or -200B',
  parse: (written) => {
    const parts = /^([+-])(\d{1,9}) ?(B|kB|MB|GB)$/.exec(written);
    if (parts === null) return parseLsnText(written) ?? (/^([+-]|$)/.test(written) ? undefined : written);
    const bytes = BigInt(parts[2]!) * bytesPerUnit[parts[3]!]!;
    return { bytes: parts[1] === '-' ? -bytes : bytes };
  },
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

export const sqlState = scalar<string>({
  expected: 'an SQLSTATE: five digits or capital letters',
  parse: (written) => (/^[0-9A-Z]{5}$/.test(written) ? written : undefined),
  schema: { type: ['string', 'integer'] },
  hint: () => 'a code such as "58P01"',
});

export const errorFields = {
  code: required(sqlState, 'SQLSTATE.', '58P01'),
  message: required(text, 'Message.', 'requested WAL segment has already been removed'),
  severity: optional(choice('ERROR', 'FATAL', 'PANIC'), 'Severity. Default ERROR.', 'FATAL'),
  detail: optional(text, 'DETAIL.', 'Segments are removed from wal_keep_size on.'),
  hint: optional(text, 'HINT.', 'Wait for the other connection to end.'),
  context: optional(text, 'CONTEXT: what the server was doing.', 'slot "app_slot", output plugin "pgoutput"'),
};

export const noticeFields = {
  code: optional(sqlState, 'SQLSTATE. Default 00000, of a WARNING 01000.', '01000'),
  message: errorFields.message,
  severity: optional(choice('WARNING', 'NOTICE', 'INFO', 'LOG', 'DEBUG'), 'Severity. Default NOTICE.', 'WARNING'),
  detail: errorFields.detail,
  hint: errorFields.hint,
  context: errorFields.context,
};

/** Which slots' connections it happens to, and how often. */
const scope = {
  slot: optional(name, 'Only to the connection of this slot.', 'app_slot'),
  times: optional(count, 'How often it happens: a consumer that comes by more often goes on past it. Default 1.', 2),
};
const slot = { slot: scope.slot };
/** Of what is part of the stream rather than a fault. */
const repeatedScope = {
  ...slot,
  times: optional(count, 'How often it happens. Default: to each connection that comes by.', 1),
};

const down = optional(duration, 'Who connects before this is over gets 57P03. Default 0s.', '5s');

const networkFields = {
  chunk: optional(
    switchedOff('a number of bytes, or `off`', { anyOf: [{ type: 'integer', minimum: 1 }, { enum: ['off'] }] }),
    'Split the byte stream into segments of so many bytes.',
    1,
    'off',
  ),
  delay: optional(duration, 'Hold everything back for so long.', '20ms'),
  bandwidth: optional(
    scalar<number>({
      expected: 'a bandwidth such as 64kB/s, or `off`',
      parse: (written) => (written === 'off' ? Infinity : parseBandwidth(written)),
      schema: { anyOf: [bandwidth.jsonSchema(), { enum: ['off'] }] },
    }),
    'No more bytes per second than this.',
    '64kB/s',
    'off',
  ),
  coalesce: optional(boolean, 'Gather what comes within 10 ms into one segment.', true),
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
  schema: exactlyOneGroupOf(['hex'], ['frame'], ['corrupt', 'byte', 'to']),
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

const keepaliveFields = {
  reply: optional(boolean, 'Ask for a reply at once.', true),
  count: optional(integer(1, 1_000_000_000, 'a number of keepalives'), 'How many. Default 1.', 1000),
  every: optional(duration, 'Time between them; the stream waits for the last one. Default: all at once.', '10s'),
  wal_end: optional(
    positionOrOffset,
    'The position it tells: a label, an LSN, or a distance from where the stream stands, once more for each of them. ' +
      'Default: where the stream stands.',
    '+64MB',
    '-200B',
  ),
  clock: optional(time, "Pins its time. Default: the server's clock.", '2000-01-01T00:00:00Z'),
};

const place = {
  in: required(choice('next_message', ...messageKinds), 'Which message: the next one of this kind.', 'update'),
  at: required(count, 'Bytes of its CopyData message (type byte and length included) that are sent before.', 7),
};

const disconnectHow = choice('reset', 'close', 'half-open', 'black-hole', 'terminate', 'copy_done');

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
        expected: '{ reply: true }, `off` or `on`',
        scalar: choice('off', 'on'),
        map: object(keepaliveFields, { expected: 'what the keepalive says, such as { reply: true }' }),
        empty: () => null,
      }),
      'Send a keepalive. `off`: from here on this connection gets no others than those the scenario sends, not even when it asks; `on` ends that.',
      { reply: true },
      { count: 6, every: '10s', wal_end: '+64MB' },
      'off',
    ),
    ...repeatedScope,
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
      byKind({
        expected: '{ how: reset }, or just `reset`',
        scalar: disconnectHow,
        map: object(
          {
            how: required(
              disconnectHow,
              'RST; FIN; silence for ever; silence both ways: the server does not notice that the client goes, either, and the slot ' +
                'stays taken until wal_sender_timeout; 57P01 and then FIN; CopyDone: the end of the stream, the connection stays.',
              'reset',
            ),
          },
          { expected: '{ how: reset }' },
        ),
      }),
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
    inside: optional(
      object(place, { expected: '{ in: KIND, at: BYTES }' }),
      'Not here: inside a message. The bytes of the connection stop, nothing else does.',
      { in: 'insert', at: 3 },
    ),
    ...scope,
  },
  cut: {
    cut: required(
      object(
        {
          ...place,
          how: optional(
            choice('close', 'reset', 'half-open', 'black-hole'),
            'What becomes of the connection, as in `disconnect`. Default close.',
            'reset',
          ),
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
  skip: {
    skip: required(choice('next_message', ...messageKinds), 'The next message of this kind is not sent.', 'relation'),
    ...scope,
  },
  notice: {
    notice: required(object(noticeFields, { expected: 'a notice: its message' }), 'Send a NoticeResponse.', {
      severity: 'WARNING',
      message: 'there is no space left',
    }),
    ...scope,
  },
  parameter: {
    parameter: required(mapOf(text, 'a map from parameters to values'), 'Send ParameterStatus.', {
      TimeZone: 'Europe/Berlin',
    }),
    ...scope,
  },
  refuse: {
    refuse: required(duration, 'From here on, who connects gets 57P03 for so long.', '5s'),
    ...scope,
  },
  drop_slot: { drop_slot: required(name, 'Drop a slot behind the back of its consumer.', 'app_slot'), ...scope },
  recreate_slot: {
    recreate_slot: required(name, 'Drop a slot and make it anew.', 'app_slot'),
    lsn: optional(position, 'Where the new one stands: a label, or an LSN. Default: here.', '0/1500000'),
    ...scope,
  },
  shutdown: {
    shutdown: required(
      byKind({
        expected: '{ down: 5s }, or nothing',
        map: object({ down }, { expected: '{ down: 5s }' }),
        empty: () => ({ down: undefined }),
      }),
      'Fast shutdown and restart: walsenders send what is left and wait for its confirmation, other sessions get 57P01.',
      { down: '5s' },
    ),
    ...scope,
  },
  failover: {
    failover: required(
      object(
        {
          timeline: required(integer(2, 0xffff_ffff, 'a timeline'), 'The new timeline.', 2),
          down,
          synced_to: optional(
            position,
            'How far slots with `failover: true` had been synchronized: none of them stands further. Default: all the way.',
            'after-first',
          ),
        },
        { expected: '{ timeline: 2 }' },
      ),
      'The server dies and is replaced by a promoted standby, which has only the slots with `failover: true` (17 and later).',
      { timeline: 2 },
    ),
    ...scope,
  },
  consumer: {
    consumer: required(
      choice('kill', 'stop', 'restart', 'crash'),
      'Under `run`: what happens to the consumer command. SIGKILL, SIGTERM, SIGTERM and started again, SIGKILL and started again.',
      'restart',
    ),
  },
} as const;

export type FaultStep = VariantOf<typeof faultSteps>;
