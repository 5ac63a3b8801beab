/**
 * The client's messages once it was admitted: queries, commands, the extended protocol, and what follows an error.
 *
 * ```
 *   ready ── Query ──→ answer, ReadyForQuery ──→ ready
 *   ready ── Parse, Bind, Describe, Execute, Close ──→ answer ──→ ready
 *                        │ error
 *                        ▼
 *                    skipping ── Sync ──→ ReadyForQuery ──→ ready
 * ```
 *
 * The first say on every question is the handlers', the last one too.
 */
import { errorOrNotice, parameterStatus, readyForQuery } from '../protocol/backend-messages.js';
import { frontendType, readQuery, violation } from '../protocol/frontend-messages.js';
import {
  parseReplicationCommand,
  type ParsedCommand,
  type ReplicationCommand,
} from '../protocol/replication-command.js';
import type { SqlOutput, SqlSession } from '../sql/engine.js';
import type { BackendState } from '../sql/host.js';
import { WireError } from '../values/wire-error.js';
import type { GivenAnswer, QueryFacts } from './answers.js';
import { ask } from './asking.js';
import { completeStream, runCommand } from './commands.js';
import type { Admission } from './entrance.js';
import { ExtendedQuery, type ExtendedSession } from './extended-query.js';
import type { SessionInside } from './inside.js';
import type { LogicalSender } from './logical-sender.js';
import { OutputsRun } from './outputs-run.js';
import type { Unanswered } from './statement-answers.js';

export interface ConversationSession extends SessionInside {
  stream(sender: LogicalSender): void;
}

export class Conversation {
  readonly #session: ConversationSession;
  readonly #sql: SqlSession;
  readonly #isWalsender: boolean;
  readonly #extended: ExtendedQuery;
  #inExtended = false;
  #skippingToSync = false;
  #streamWasEnded = false;
  #hasDecoded = false;
  #unanswered: Unanswered | undefined;
  readonly #changedParameters = new Map<string, string>();
  #lastQuery = '';
  #lastQueryAt: bigint | null = null;

  constructor(
    session: ConversationSession,
    private readonly admission: Admission,
  ) {
    this.#session = session;
    this.#sql = admission.sql;
    this.#isWalsender = admission.facts.replication !== 'off';
    const extended: ExtendedSession = {
      sql: admission.sql,
      answers: session.cluster.config.answers,
      output: session.output,
      session,
      queryFacts: (text, values) => this.#facts(text, values, null),
      takeUnanswered: () => {
        const unanswered = this.#unanswered;
        this.#unanswered = undefined;
        return unanswered;
      },
      putUnanswered: (unanswered) => (this.#unanswered = unanswered),
      carry: (outputs) => this.#perform(outputs, () => undefined),
    };
    this.#extended = new ExtendedQuery(extended);
  }

  /** Takes a message other than Terminate. @throws WireError */
  receive(type: number, body: Uint8Array): void {
    if (this.#skippingToSync && type !== frontendType.sync) return;
    this.#inExtended = ExtendedQuery.handles(type);
    if (this.#inExtended) {
      if (this.#isWalsender) throw violation('extended query protocol not supported in a replication connection');
      this.#loadThen(() => this.#extended.receive(type, body));
    } else if (type === frontendType.query) {
      this.#simpleQuery(readQuery(body));
    } else if (type === frontendType.sync) {
      this.#skippingToSync = false;
      this.#sql.sync();
      this.#ready();
    } else if (type === frontendType.functionCall) {
      if (this.#isWalsender) throw violation('fastpath function calls not supported in a replication connection');
      throw new WireError({
        code: '0A000',
        message: 'fake-walsender does not support function calls by message: use SELECT',
      });
    }
    // Flush asks for what is done anyway; CopyData, CopyDone and CopyFail are left over from a copy that ended early.
  }

  /** SQL did not understand this; its error follows. */
  unanswered(text: string, reason: string): void {
    this.#unanswered = { text, reason };
  }

  /** The client's CopyDone ended the stream. */
  streamEnded(): void {
    completeStream(this.#session);
    this.#streamWasEnded = true;
    this.#ready();
  }

  /** An ERROR: the client hears of it, and goes on. */
  fail(error: WireError): void {
    const unanswered = this.#unanswered;
    this.#unanswered = undefined;
    if (!unanswered) return this.#report(error);
    const { text, reason } = unanswered;
    this.#session.observe({ kind: 'query:unhandled', text, reason });
    const { answers } = this.#session.cluster.config;
    const answer = this.#inExtended ? undefined : answers?.unanswered?.(this.#facts(text, [], null), error);
    ask(this.#session, answer, (given) => {
      if (given) this.#give(given);
      else this.#report(error);
    });
  }

  backendState(): Omit<BackendState, 'pid' | 'clientAddress' | 'clientPort' | 'startedAt'> {
    const { facts, database } = this.admission;
    const { transactionStatus: status } = this.#sql;
    return {
      kind: this.#isWalsender ? 'walsender' : 'client backend',
      user: facts.user,
      database: database?.name ?? null,
      applicationName: this.#sql.show('application_name').value,
      queryStartedAt: this.#lastQueryAt,
      state: status === 'I' ? 'idle' : status === 'T' ? 'idle in transaction' : 'idle in transaction (aborted)',
      query: this.#lastQuery,
      tls: facts.tls,
    };
  }

  #simpleQuery(text: string): void {
    const { pid, clock, cluster, output } = this.#session;
    this.#lastQuery = text;
    this.#lastQueryAt = clock.now();
    this.#session.observe({ kind: 'query', text, protocol: 'simple' });
    // What was exported lives until the next command.
    if (this.#sql.transaction === null) cluster.snapshots.dropOf(pid);
    const parsed = this.#parseCommand(text);
    const command = parsed instanceof WireError ? null : (parsed?.command ?? null);
    ask(this.#session, cluster.config.answers?.query?.(this.#facts(text, [], command)), (answer) => {
      if (answer) return this.#give(answer);
      if (parsed instanceof WireError) throw parsed;
      if (!parsed) return this.#sqlQuery(text);
      for (const notice of parsed.notices) errorOrNotice(output.writer, notice);
      this.#command(parsed.command);
    });
  }

  /** Undefined for SQL; the error of a command that is none, for a handler may know it all the same. */
  #parseCommand(text: string): ParsedCommand | WireError | undefined {
    if (!this.#isWalsender) return undefined;
    try {
      return parseReplicationCommand(text, this.#session.major);
    } catch (error) {
      if (error instanceof WireError) return error;
      throw error;
    }
  }

  #command(command: ReplicationCommand): void {
    const { database } = this.admission;
    const outcome = runCommand(command, {
      session: this.#session,
      sql: this.#sql,
      database,
      hasDecoded: this.#hasDecoded,
      streamWasEnded: this.#streamWasEnded,
    });
    this.#hasDecoded ||= command.kind === 'createReplicationSlot' || outcome.kind === 'stream';
    switch (outcome.kind) {
      case 'done':
        return this.#ready();
      case 'sql':
        return this.#sqlQuery(outcome.text);
      case 'task':
        return this.#session.perform(outcome.task, () => this.#ready());
      case 'stream':
        return this.#session.stream(outcome.sender);
    }
  }

  #sqlQuery(text: string): void {
    if (this.admission.database === null) {
      const message = 'cannot execute SQL commands in WAL sender for physical replication';
      throw new WireError({ code: '0A000', message });
    }
    this.#loadThen(() => this.#perform(this.#sql.query(text), () => this.#ready()));
  }

  /** @throws WireError when the answer is one */
  #give(answer: GivenAnswer): void {
    if (answer.kind === 'error') throw answer.error;
    if (answer.kind === 'disconnect') this.#session.end('handler', answer.how);
    else this.#perform(answer.outputs, () => this.#ready());
  }

  #loadThen(act: () => void): void {
    const engine = this.#session.cluster.config.sql;
    this.#session.later(engine.loaded ? undefined : engine.load(), act);
  }

  #perform(outputs: Iterable<SqlOutput>, then: () => void): void {
    // 14 and later report changed settings together, before ReadyForQuery.
    const reportLater =
      this.#session.major >= 14
        ? (name: string, value: string): void => void this.#changedParameters.set(name, value)
        : undefined;
    this.#session.perform(new OutputsRun(this.#session, outputs, reportLater), then);
  }

  #ready(): void {
    const { writer } = this.#session.output;
    for (const [name, value] of this.#changedParameters) parameterStatus(writer, name, value);
    this.#changedParameters.clear();
    readyForQuery(writer, this.#sql.transactionStatus);
  }

  #report(error: WireError): void {
    const { cluster, pid, output } = this.#session;
    if (this.#isWalsender) {
      // An error leaves a walsender no temporary slots and no exported snapshot.
      for (const slot of cluster.slots.dropTemporary(pid)) this.#session.observe({ kind: 'slot:drop', slot });
      cluster.snapshots.dropOf(pid);
    }
    this.#sql.fail();
    errorOrNotice(output.writer, error);
    this.#session.observe({ kind: 'error:sent', error });
    if (this.#inExtended) this.#skippingToSync = true;
    else this.#ready();
  }

  #facts(text: string, values: QueryFacts['values'], command: ReplicationCommand | null): QueryFacts {
    return { ...this.admission.facts, text, values, command };
  }
}
