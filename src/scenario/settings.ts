/** What a scenario says of its server, slots and client, with the defaults filled in. */
import { majorFacts } from '../postgres/major.js';
import type { ServerFacts } from '../timeline/timeline.js';
import { parseTimestamp } from '../values/timestamp.js';
import { parseServerVersion, type Client, type Server, type ServerVersion, type Slots } from './format/server.js';

const stableMajor = 18;

/** `server:`: the server to emulate. */
export interface ServerSettings extends ServerFacts {
  /** Microseconds that the clock moves per transaction. */
  readonly clockStep: bigint;
  readonly nextXid: number;
  /** Milliseconds; 0 for none. */
  readonly walSenderTimeout: number;
  readonly auth: 'trust' | 'password' | 'md5' | 'scram-sha-256';
  readonly users: readonly { readonly name: string; readonly password: string }[];
  /** File names are relative to the scenario's folder. */
  readonly tls: 'off' | 'self-signed' | { readonly cert: string; readonly key: string };
  /** Names as written. */
  readonly parameters: readonly { readonly name: string; readonly value: string }[];
}

/** @param version - instead of the scenario's: `--server-version` */
export function serverSettings(server: Server | undefined, version?: string): ServerSettings {
  const declared = version === undefined ? server?.version?.value : parseVersion(version);
  const major = declared?.major ?? stableMajor;
  return {
    major,
    version: declared?.version ?? majorFacts(major).version,
    systemId: server?.systemId?.value ?? '7429138812345678901',
    timelineId: server?.timeline?.value ?? 1,
    startLsn: server?.lsn?.value ?? 0x150_0000n,
    clock: server?.clock?.value ?? parseTimestamp('2026-01-01T00:00:00Z'),
    clockStep: BigInt(server?.clockStep?.value ?? 1_000_000),
    nextXid: server?.xid?.value ?? 750,
    walSenderTimeout: (server?.walSenderTimeout?.value ?? 60_000_000) / 1000,
    auth: server?.auth?.value ?? 'trust',
    users: (server?.users ?? []).map((user) => ({ name: user.name.value, password: user.value.value })),
    tls: tlsSetting(server?.tls),
    parameters: (server?.parameters ?? []).map(({ name, value }) => ({ name: name.value, value: value.value })),
  };
}

function tlsSetting(tls: Server['tls']): ServerSettings['tls'] {
  if (tls === undefined) return 'off';
  return 'value' in tls ? tls.value : { cert: tls.cert.value, key: tls.key.value };
}

/** @throws RangeError for a version that is not emulated */
function parseVersion(text: string): ServerVersion {
  const version = parseServerVersion(text);
  if (version === undefined) throw new RangeError(`${text} is not a PostgreSQL version from 10 to 20`);
  return version;
}

/** An entry of `slots:`. */
export interface SlotSettings {
  readonly name: string;
  readonly plugin: string;
  readonly confirmedFlushLsn: bigint;
  readonly twoPhase: boolean;
  readonly failover: boolean;
}

/** Null when the scenario declares none: a slot is then made by CREATE, or silently by its first START. */
export function slotSettings(slots: Slots | undefined, server: ServerFacts): readonly SlotSettings[] | null {
  if (slots === undefined) return null;
  return slots.map(({ name, value: slot }) => ({
    name: name.value,
    plugin: slot.plugin?.value ?? 'pgoutput',
    confirmedFlushLsn: slot.confirmedFlush?.value ?? server.startLsn,
    twoPhase: slot.twoPhase?.value ?? false,
    failover: slot.failover?.value ?? false,
  }));
}

/** What `encode` takes for a client. */
export interface ClientOptions {
  /** 1 to 4. */
  readonly protoVersion: number;
  readonly streaming: 'off' | 'on' | 'parallel';
  readonly twoPhase: boolean;
  readonly binary: boolean;
  readonly messages: boolean;
  readonly origin: 'any' | 'none';
  /** Undefined: all that the scenario declares, or one called `pub` where it declares none. */
  readonly publications: readonly string[] | undefined;
  /** Where it starts; undefined: where the server's WAL stands before the stream. */
  readonly startLsn?: bigint | undefined;
  /** The stream is decoded after all of it was written. */
  readonly late: boolean;
}

export function clientOptions(client: Client | undefined): ClientOptions {
  return {
    protoVersion: client?.protoVersion?.value ?? 1,
    streaming: client?.streaming?.value ?? 'off',
    twoPhase: client?.twoPhase?.value ?? false,
    binary: client?.binary?.value ?? false,
    messages: client?.messages?.value ?? false,
    origin: client?.origin?.value ?? 'any',
    publications: client?.publications?.map((name) => name.value),
    startLsn: client?.startLsn?.value,
    late: client?.late?.value ?? false,
  };
}
