/**
 * A real server behind a fake one: it answers what the fake one cannot. Each client session has an ordinary connection of its
 * own there, made when first needed. What a session has set or begun at the fake server does not hold there.
 *
 * ```
 *   (none) ──first question──→ connecting ──→ idle ⇄ asking: one question at a time
 *                                  any of them ──end(), connection lost──→ (none)
 * ```
 */
import type { Socket } from 'node:net';
import { serialize } from 'pg-protocol';
import { Writer } from '../bytes/writer.js';
import type { SqlOutput, StatementDescription } from '../sql/engine.js';
import { WireError } from '../values/wire-error.js';
import type { Answer, Answers, QueryFacts } from '../walsender/answers.js';
import { Connection, DatabaseError } from './connection.js';
import { errorFieldsOf, fieldsOf, Frames, outputOf, parameterTypesOf, type Frame } from './result-frames.js';
import type { Target } from './target.js';

export class Upstream implements Pick<Answers, 'unanswered' | 'describe'> {
  readonly #sessions = new Map<number, Promise<UpstreamSession>>();

  constructor(private readonly target: Target) {}

  /** Replication commands are never passed on. */
  async unanswered(facts: QueryFacts): Promise<Answer | undefined> {
    if (facts.command !== null) return undefined;
    const { pid, text, values, extended } = facts;
    const question =
      extended === undefined
        ? serialize.query(text)
        : Buffer.concat([
            serialize.parse({ text, types: [...extended.parameterTypes] }),
            bindMessage(values, extended.parameterFormats, extended.resultFormats),
            serialize.describe({ type: 'P' }),
            serialize.execute(),
            serialize.sync(),
          ]);
    return { kind: 'outputs', outputs: outputsOf(await this.#ask(pid, question)) };
  }

  async describe({ pid, text, extended }: QueryFacts): Promise<StatementDescription> {
    const types = [...(extended?.parameterTypes ?? [])];
    const question = [serialize.parse({ text, types }), serialize.describe({ type: 'S' }), serialize.sync()];
    const frames = await this.#ask(pid, Buffer.concat(question));
    const bodyOf = (letter: string): Uint8Array | undefined => frames.find(({ type }) => type === letter)?.body;
    const [error, parameters, fields] = [bodyOf('E'), bodyOf('t'), bodyOf('T')];
    if (error) throw new WireError(errorFieldsOf(error));
    return { parameterTypes: parameters ? parameterTypesOf(parameters) : [], fields: fields ? fieldsOf(fields) : null };
  }

  /** The client's session is over. */
  end(pid: number): void {
    const session = this.#sessions.get(pid);
    this.#sessions.delete(pid);
    void session?.then(
      (open) => open.end(),
      () => undefined,
    );
  }

  /** Ends every connection. */
  close(): void {
    for (const pid of [...this.#sessions.keys()]) this.end(pid);
  }

  async #ask(pid: number, question: Buffer): Promise<readonly Frame[]> {
    try {
      let session = this.#sessions.get(pid);
      if (session === undefined) {
        session = UpstreamSession.open(this.target);
        this.#sessions.set(pid, session);
      }
      return await (await session).ask(question);
    } catch (error) {
      this.end(pid);
      const why = error instanceof DatabaseError ? `${error.severity} ${error.code}: ${error.message}` : String(error);
      throw new WireError({ code: '08006', message: `the upstream server does not answer: ${why}` });
    }
  }
}

class UpstreamSession {
  readonly #frames = new Frames();
  #answer: Frame[] = [];
  #settle: { resolve: (frames: Frame[]) => void; reject: (error: Error) => void } | undefined;
  #lost: Error | undefined;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(private readonly socket: Socket) {
    socket.on('data', (chunk) => {
      for (const frame of this.#frames.take(chunk)) this.#take(frame);
    });
    socket.on('error', (error) => this.#lose(error));
    socket.on('close', () => this.#lose(new Error('it closed the connection')));
    socket.resume();
  }

  static async open(target: Target): Promise<UpstreamSession> {
    return new UpstreamSession((await Connection.open(target, { replication: false })).release());
  }

  /** Everything up to ReadyForQuery. What a client asked that has given up is answered before. */
  ask(question: Buffer): Promise<Frame[]> {
    const answer = this.#last.then(() => this.#send(question));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  #send(question: Buffer): Promise<Frame[]> {
    if (this.#lost) return Promise.reject(this.#lost);
    return new Promise((resolve, reject) => {
      this.#answer = [];
      this.#settle = { resolve, reject };
      this.socket.write(question);
    });
  }

  end(): void {
    this.socket.end(serialize.end());
  }

  #take(frame: Frame): void {
    if (frame.type === 'Z') this.#settle?.resolve(this.#answer);
    else this.#answer.push(frame);
    // The client's rows cannot be had: its COPY FROM STDIN fails.
    if (frame.type === 'G') this.socket.write(serialize.copyFail('COPY FROM STDIN is not passed on'));
  }

  #lose(error: Error): void {
    this.#lost ??= error;
    this.#settle?.reject(error);
  }
}

function* outputsOf(frames: readonly Frame[]): Generator<SqlOutput> {
  for (const frame of frames) {
    if (frame.type === 'E') throw new WireError(errorFieldsOf(frame.body));
    const output = outputOf(frame);
    if (output) yield output;
  }
}

/** To the unnamed portal, of the unnamed statement, with the formats that the client gave. */
function bindMessage(
  values: QueryFacts['values'],
  parameterFormats: readonly number[],
  resultFormats: readonly number[],
): Uint8Array {
  const writer = new Writer();
  const formats = (codes: readonly number[]): void => {
    writer.int16(codes.length);
    for (const code of codes) writer.int16(code);
  };
  writer.text('B');
  const block = writer.startBlock();
  writer.cstring('');
  writer.cstring('');
  formats(parameterFormats);
  writer.int16(values.length);
  for (const value of values) {
    if (value === null) writer.int32(-1);
    else writer.sizedRaw(value);
  }
  formats(resultFormats);
  writer.endBlock(block);
  return writer.copy();
}
