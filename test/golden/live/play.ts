/** Plays the statements on a server, real or fake, and tells what each session was sent. */
import { Connection, createSlot, DatabaseError, parseTarget, ReplicationStream } from '../../../src/client/index.js';
import { decode, type Message } from '../../../src/pgoutput/index.js';
import { formatLsn } from '../../../src/values/lsn.js';
import type { Action } from './statements.js';

export interface Outcome {
  readonly sql: string;
  /** Of the session that ran it: tags, rows, notices, the error. LSNs by the message that stands there. */
  readonly answer: readonly string[];
  /** To the client that streams: XLogData's position and payload. */
  readonly sent: readonly (readonly [lsn: string, payload: string])[];
  /** To the client that streams. */
  readonly notices: readonly string[];
  /** The stream is over. */
  readonly error?: string;
}

const context = { protoVersion: 1, streaming: 'off', inStream: false } as const;

/** @param doStep - for what has no SQL on this server; absent: everything is SQL */
export async function play(
  url: string,
  actions: readonly Action[],
  doStep?: (step: string) => void,
): Promise<Outcome[]> {
  const target = parseTarget(url);
  const told: string[] = [];
  const toldToClient: string[] = [];
  const session = await Connection.open(target, {
    replication: false,
    onNotice: (notice) => told.push(`${notice.message}`),
  });
  const marker = await Connection.open(target, { replication: false });
  const walsender = await Connection.open(target, {
    replication: true,
    onNotice: (notice) => toldToClient.push(`${notice.message}`),
  });
  try {
    await createSlot(walsender, 'live', true);
    const stream = await ReplicationStream.start(walsender, 'live', 0n, [
      ['proto_version', '1'],
      ['publication_names', 'pub'],
      ['messages', 'true'],
    ]);
    const outcomes: Outcome[] = [];
    for (const [i, { sql, step }] of actions.entries()) {
      let answer: string[] = [];
      if (step === undefined) answer = await answered(session, sql);
      else if (doStep) doStep(step);
      else await session.query(sql);
      await marker.query(`SELECT pg_logical_emit_message(false, 'marker', '${i}')`);
      const { messages, error } = await sent(stream);
      outcomes.push({
        sql,
        answer: [...told.splice(0), ...answer].map((line) => withLsn(line, messages)),
        sent: messages.map(({ lsn, payload }) => [formatLsn(lsn), payload.toString('hex')]),
        notices: toldToClient.splice(0),
        ...(error !== undefined && { error }),
      });
      if (error !== undefined) break;
    }
    return outcomes;
  } finally {
    walsender.end();
    marker.end();
    session.end();
  }
}

async function answered(session: Connection, sql: string): Promise<string[]> {
  try {
    const { rows, tags } = await session.query(sql);
    return [...rows.map((row) => row.join(' ')), ...tags];
  } catch (error) {
    if (error instanceof DatabaseError) return [`${error.severity} ${error.code}: ${error.message}`];
    throw error;
  }
}

interface Sent {
  readonly lsn: bigint;
  readonly payload: Buffer;
  readonly message: Message;
}

/** Up to the next marker, or the error that ends the stream. */
async function sent(stream: ReplicationStream): Promise<{ messages: Sent[]; error?: string }> {
  const messages: Sent[] = [];
  try {
    for (;;) {
      const received = await stream.next();
      if (received?.kind !== 'data') continue;
      const message = decode(received.payload, context);
      if (message.kind === 'message' && message.prefix === 'marker') return { messages };
      messages.push({ lsn: received.walStart, payload: received.payload, message });
    }
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    const { severity, code, message, where } = error;
    return {
      messages,
      error: [`${severity} ${code}: ${message}`, where?.replace(/[0-9A-F]+\/[0-9A-F]+/g, 'X/X')].join('\n'),
    };
  }
}

/** An LSN in what a session was answered, by the message that a client was sent from there. */
function withLsn(line: string, messages: readonly Sent[]): string {
  return line.replace(/\b[0-9A-F]+\/[0-9A-F]+\b/, (text) => {
    const there = messages.find(({ message }) => message.kind === 'message' && formatLsn(message.lsn) === text);
    return there?.message.kind === 'message'
      ? `LSN of '${Buffer.from(there.message.content).toString('latin1')}'`
      : 'LSN';
  });
}
