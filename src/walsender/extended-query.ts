/** The extended query protocol of ordinary connections: Parse, Bind, Describe, Execute, Close. Sync and errors are the session's. */
import {
  bindComplete,
  closeComplete,
  noData,
  parameterDescription,
  parseComplete,
  rowDescription,
} from '../protocol/backend-messages.js';
import {
  frontendType,
  readBind,
  readExecute,
  readParse,
  readTarget,
  type BindMessage,
} from '../protocol/frontend-messages.js';
import type { Field, SqlOutput, SqlSession } from '../sql/engine.js';
import { WireError } from '../values/wire-error.js';
import type { Answers, GivenAnswer, QueryFacts } from './answers.js';
import { ask } from './asking.js';
import type { SessionInside } from './inside.js';
import type { Output } from './output.js';
import { AnsweredPortal, parameterTypesOf, type PreparedText } from './statement-answers.js';

export interface ExtendedSession {
  readonly session: SessionInside;
  readonly sql: SqlSession;
  readonly output: Output;
  readonly answers: Answers | undefined;
  readonly queryFacts: (text: string, values: readonly (Uint8Array | null)[]) => QueryFacts;
  /** Carries outputs to the client; the next message is read after them. */
  readonly carry: (outputs: Iterable<SqlOutput>) => void;
}

export class ExtendedQuery {
  /** Kept only where handlers may want to answer. */
  readonly #statements = new Map<string, PreparedText>();
  readonly #portals = new Map<string, AnsweredPortal>();

  constructor(private readonly inside: ExtendedSession) {}

  static handles(type: number): boolean {
    const { parse, bind, describe, execute, close } = frontendType;
    return type === parse || type === bind || type === describe || type === execute || type === close;
  }

  /** @throws WireError */
  receive(type: number, body: Uint8Array): void {
    switch (type) {
      case frontendType.parse:
        return this.#parse(body);
      case frontendType.bind:
        return this.#bind(readBind(body));
      case frontendType.describe:
        return this.#describe(body);
      case frontendType.execute:
        return this.#execute(body);
      default:
        return this.#close(body);
    }
  }

  #parse(body: Uint8Array): void {
    const { session, sql, output, answers, queryFacts } = this.inside;
    const { statement, query, parameterTypes } = readParse(body);
    session.observe({ kind: 'query', text: query, protocol: 'extended' });
    const keep = (prepared: PreparedText): void => {
      if (answers?.query) this.#statements.set(statement, prepared);
      parseComplete(output.writer);
    };
    const written = { text: query, parameterTypes, answer: undefined };
    try {
      sql.parse(statement, query, parameterTypes);
    } catch (error) {
      if (!answers?.query || !(error instanceof WireError)) throw error;
      // What SQL cannot make anything of may be a handler's all the same.
      const prepared: PreparedText = { ...written, refusal: error };
      if (answers.mayAnswer?.(queryFacts(query, []))) return keep(prepared);
      this.#ask(prepared, [], (answer) => {
        if (!answer) throw error;
        prepared.answer = answer;
        keep(prepared);
      });
      return;
    }
    keep({ ...written, refusal: undefined });
  }

  #bind(message: BindMessage): void {
    const { session, sql, output } = this.inside;
    const bound = (): void => bindComplete(output.writer);
    const bindSql = (): void => {
      this.#portals.delete(message.portal);
      const { portal, statement, parameterFormats, parameters, resultFormats } = message;
      sql.bind(portal, statement, parameterFormats, parameters, resultFormats);
      bound();
    };
    const prepared = this.#statements.get(message.statement);
    if (!prepared) return bindSql();
    this.#ask(prepared, message.parameters, (answer) => {
      if (!answer && prepared.refusal) throw prepared.refusal;
      if (!answer) return bindSql();
      this.#portals.set(message.portal, new AnsweredPortal(outputsOf(answer, session)));
      bound();
    });
  }

  #describe(body: Uint8Array): void {
    const { sql, output } = this.inside;
    const { target, name } = readTarget(body, 'DESCRIBE');
    if (target === 'portal') {
      const answered = this.#portals.get(name);
      this.#result(answered ? answered.fields : sql.describePortal(name));
      return;
    }
    const describeSql = (): void => {
      const { parameterTypes, fields } = sql.describeStatement(name);
      parameterDescription(output.writer, parameterTypes);
      this.#result(fields);
    };
    const prepared = this.#statements.get(name);
    if (!prepared) return describeSql();
    this.#ask(prepared, [], (answer) => {
      if (!answer && prepared.refusal) throw prepared.refusal;
      if (!answer) return describeSql();
      prepared.answer = answer;
      parameterDescription(output.writer, parameterTypesOf(prepared));
      this.#result(answer.kind === 'outputs' ? new AnsweredPortal(answer.outputs).fields : null);
    });
  }

  #result(fields: readonly Field[] | null): void {
    const { writer } = this.inside.output;
    if (fields === null) noData(writer);
    else rowDescription(writer, fields);
  }

  #execute(body: Uint8Array): void {
    const { portal, maxRows } = readExecute(body);
    const answered = this.#portals.get(portal);
    const { sql, carry } = this.inside;
    carry(answered ? answered.execute(maxRows) : sql.execute(portal, maxRows));
  }

  #close(body: Uint8Array): void {
    const { target, name } = readTarget(body, 'CLOSE');
    const { sql, output } = this.inside;
    if (target === 'portal') {
      if (!this.#portals.delete(name)) sql.closePortal(name);
    } else {
      this.#statements.delete(name);
      sql.closeStatement(name);
    }
    closeComplete(output.writer);
  }

  /** Asks the handlers, unless their answer is there already. */
  #ask(
    prepared: PreparedText,
    values: readonly (Uint8Array | null)[],
    then: (answer: GivenAnswer | undefined) => void,
  ): void {
    const { session, answers, queryFacts } = this.inside;
    const kept = prepared.answer;
    prepared.answer = undefined;
    ask(session, kept ?? answers?.query?.(queryFacts(prepared.text, values)), then);
  }
}

/** @throws WireError when the answer is one */
function outputsOf(answer: GivenAnswer, session: SessionInside): Iterable<SqlOutput> {
  if (answer.kind === 'error') throw answer.error;
  if (answer.kind === 'disconnect') {
    session.end('handler', answer.how);
    return [];
  }
  return answer.outputs;
}
