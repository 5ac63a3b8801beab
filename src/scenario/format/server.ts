/** The emulated server, its types and slots, and what `encode` takes for a client. */
import { majorFacts } from '../../postgres/major.js';
import { byKind } from '../alternative.js';
import { list, mapOf, object, oneOrMany, optional, required, type ReadOf } from '../object.js';
import { boolean, choice, duration, integer, lsn, name, oid, scalar, text, time, xid } from '../scalars.js';
import type { Shape, ShapeOf } from '../shape.js';
import { columns, typeReference } from './columns.js';

export interface ServerVersion {
  readonly major: number;
  /** As server_version says it. */
  readonly version: string;
}

export const serverVersion = scalar<ServerVersion>({
  expected: 'a PostgreSQL version from 10 to 20, such as 17 or 17.4',
  parse: parseServerVersion,
  schema: { type: ['string', 'number'], pattern: '^(1\\d|20)(\\.\\d+)?$' },
});

export function parseServerVersion(written: string): ServerVersion | undefined {
  const match = /^(1\d|20)(?:\.\d{1,2})?$/.exec(written);
  const major = Number(match?.[1]);
  return match === null ? undefined : { major, version: written.includes('.') ? written : majorFacts(major).version };
}

const tls = byKind({
  expected: '`off`, `self-signed` or { cert: FILE, key: FILE }',
  scalar: choice('off', 'self-signed'),
  map: object(
    {
      cert: required(name, 'File with the certificate, PEM.', 'server.crt'),
      key: required(name, 'File with its private key, PEM.', 'server.key'),
    },
    { expected: 'a certificate and its key' },
  ),
});

const serverFields = {
  version: optional(serverVersion, 'Emulated major, or a release such as 17.4. Default 18.', 17, '17.4'),
  system_id: optional(
    scalar<string>({
      expected: 'a system identifier: a decimal number of up to 64 bits',
      parse: (written) => (/^\d{1,20}$/.test(written) && BigInt(written) < 1n << 64n ? written : undefined),
      schema: { type: ['string', 'integer'] },
    }),
    "The cluster's identifier, as IDENTIFY_SYSTEM shows it.",
    '7429138812345678901',
  ),
  timeline: optional(integer(1, 0xffff_ffff, 'a timeline'), 'Timeline id. Default 1.', 1),
  lsn: optional(lsn, 'Where WAL stands before the first transaction. Default 0/1500000.', '0/1500000'),
  xid: optional(xid, 'The next transaction id. Default 750.', 750),
  clock: optional(time, 'Time of the first commit. Default 2026-01-01T00:00:00Z.', '2026-01-01T00:00:00Z'),
  clock_step: optional(duration, 'How far the clock moves with each transaction. Default 1s.', '1s'),
  wal_sender_timeout: optional(
    byKind({ expected: duration.expected, scalar: duration }),
    'After half of it the walsender asks a silent client for a reply, after all of it it hangs up. Default 60s.',
    '60s',
  ),
  auth: optional(choice('trust', 'password', 'md5', 'scram-sha-256'), 'Authentication. Default trust.', 'trust'),
  users: optional(mapOf(text, 'a map from users to their passwords'), 'Users and their passwords.', { repl: 's3cret' }),
  tls: optional(tls, 'TLS. Default off.', 'self-signed', { cert: 'server.crt', key: 'server.key' }),
  parameters: optional(
    mapOf(text, 'a map from parameters to their values'),
    'Reported by ParameterStatus and answered by SHOW.',
    { TimeZone: 'UTC' },
  ),
};

export const server = object(serverFields, { expected: 'a map of server settings' });
export type Server = ReadOf<typeof serverFields>;

const typeFields = {
  enum: optional(list(text, 'a list of labels'), 'An enum: its labels in order.', ['sad', 'ok', 'happy']),
  domain: optional(typeReference, 'A domain: its base type.', 'numeric(10,2)'),
  composite: optional(columns, 'A composite type: its attributes.', { street: 'text', zip: 'int4' }),
  range: optional(
    object(
      { subtype: required(typeReference, 'What it is a range of.', 'float8') },
      { expected: 'a range: its subtype' },
    ),
    'A range type.',
    { subtype: 'float8' },
  ),
  oid: optional(oid, 'Pins the OID.', 16400),
  array_oid: optional(oid, 'Pins the OID of its array type.', 16399),
};

export const typeKinds = ['enum', 'domain', 'composite', 'range'] as const;

const type = object(typeFields, {
  expected: 'a type: { enum: […] }, { domain: … }, { composite: … } or { range: … }',
  check: (declared, reader) => {
    const kinds = typeKinds.filter((kind) => declared.keys[kind] !== undefined);
    if (kinds.length === 1) return;
    const problem = kinds.length === 0 ? 'needs' : 'takes only one of';
    reader.report('missing-key', declared.at, `${reader.subject()} ${problem} enum, domain, composite, range`);
  },
});
export type TypeDeclaration = ReadOf<typeof typeFields>;
export const types = mapOf(type, 'a map of types');

const slotFields = {
  plugin: optional(name, 'Output plugin. Default pgoutput.', 'pgoutput'),
  confirmed_flush: optional(lsn, 'Where the slot stands. Default: server.lsn.', '0/1500000'),
  two_phase: optional(boolean, 'Created with TWO_PHASE.', false),
  failover: optional(boolean, 'Created with FAILOVER.', false),
};

export const slots = mapOf(
  object(slotFields, { expected: 'a slot: its plugin and position' }),
  'a map of replication slots',
);
export type Slots = ShapeOf<typeof slots>;

/** `on` and `off`, also as true and false. */
const streaming = scalar<'off' | 'on' | 'parallel'>({
  expected: '`off`, `on` or `parallel`',
  parse: (written) => {
    const mode = ({ true: 'on', false: 'off' } as Record<string, string>)[written] ?? written;
    return (['off', 'on', 'parallel'] as const).find((known) => known === mode);
  },
  schema: { enum: ['off', 'on', 'parallel', true, false] },
});

const clientFields = {
  proto_version: optional(integer(1, 4, 'a protocol version'), 'Protocol version. Default 1.', 2),
  streaming: optional(streaming, 'Streaming of transactions in progress. Default off.', 'on'),
  two_phase: optional(boolean, 'Prepared transactions at PREPARE.', true),
  binary: optional(boolean, 'Values in binary form.', true),
  messages: optional(boolean, 'Logical decoding messages.', true),
  origin: optional(choice('any', 'none'), 'Changes of which origin. Default any.', 'none'),
  publications: optional(oneOrMany(name, 'names of publications'), 'Publications; all declared ones where left out.', [
    'app_pub',
  ]),
  start_lsn: optional(lsn, 'Where it starts: what ended before is not sent. Default: server.lsn.', '0/1500000'),
  late: optional(boolean, 'The stream is decoded after all of it was written.', true),
};

export const client: Shape<Client> = object(clientFields, { expected: 'what the client of `encode` asks for' });
export type Client = ReadOf<typeof clientFields>;
