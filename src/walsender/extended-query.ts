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
import type { Answer, QueryFacts } from './answers.js';
import type { SessionInside } from './inside.js';
import { AnsweredPortal, parameterTypesOf, type PreparedText } from './statement-answers.js';

export interface ExtendedSession extends SessionInside {
  readonly sql: SqlSession;
  queryFacts(text: string, values: readonly (Uint8Array | null)[]): QueryFacts;
  /** Carries outputs to the client; the next message is read after them. */
  carry(outputs: Iterable<SqlOutput>): void;
}

export class ExtendedQuery {
  /** Kept only where handlers may want to answer. */
  readonly #statements = new Map<string, PreparedText>();
  readonly #portals = new Map<string, AnsweredPortal>();

  constructor(private readonly session: ExtendedSession) {}

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

  get #answers() {
    return this.session.cluster.config.answers?.query;
  }

  #parse(body: Uint8Array): void {
    const { session } = this;
    const { statement, query, parameterTypes } = readParse(body);
    session.observe({ kind: 'query', text: query, protocol: 'extended' });
    const parse = (): void => session.sql.parse(statement, query, parameterTypes);
    const complete = (): void => parseComplete(session.output.writer);
    if (!this.#answers) {
      parse();
      complete();
      return;
    }
    let refusal: unknown;
    try {
      parse();
    } catch (error) {
      refusal = error;
    }
    const prepared: PreparedText = { text: query, parameterTypes, parsed: refusal === undefined, answer: undefined };
    const keep = (): void => {
      this.#statements.set(statement, prepared);
      complete();
    };
    if (refusal === undefined) return keep();
    // What SQL cannot make anything of may be a handler's all the same.
    this.#ask(prepared, [], (answer) => {
      if (!answer) throw refusal;
      prepared.answer = answer;
      keep();
    });
  }

  #bind(message: BindMessage): void {
    const { session } = this;
    const bound = (): void => bindComplete(session.output.writer);
    const bindSql = (): void => {
      this.#portals.delete(message.portal);
      const { portal, statement, parameterFormats, parameters, resultFormats } = message;
      session.sql.bind(portal, statement, parameterFormats, parameters, resultFormats);
      bound();
    };
    const prepared = this.#statements.get(message.statement);
    if (!prepared) return bindSql();
    this.#ask(prepared, message.parameters, (answer) => {
      if (!answer) return bindSql();
      this.#portals.set(message.portal, new AnsweredPortal(outputsOf(answer, session)));
      bound();
    });
  }

  #describe(body: Uint8Array): void {
    const { session } = this;
    const { target, name } = readTarget(body, 'DESCRIBE');
    if (target === 'portal') {
      const answered = this.#portals.get(name);
      this.#result(answered ? answered.fields : session.sql.describePortal(name));
      return;
    }
    const describeSql = (): void => {
      const { parameterTypes, fields } = session.sql.describeStatement(name);
      parameterDescription(session.output.writer, parameterTypes);
      this.#result(fields);
    };
    const prepared = this.#statements.get(name);
    if (!prepared) return describeSql();
    this.#ask(prepared, [], (answer) => {
      if (!answer) return describeSql();
      prepared.answer = answer;
      parameterDescription(session.output.writer, parameterTypesOf(prepared));
      this.#result(answer.kind === 'outputs' ? new AnsweredPortal(answer.outputs).fields : null);
    });
  }

  #result(fields: readonly Field[] | null): void {
    const { writer } = this.session.output;
    if (fields === null) noData(writer);
    else rowDescription(writer, fields);
  }

  #execute(body: Uint8Array): void {
    const { portal, maxRows } = readExecute(body);
    const answered = this.#portals.get(portal);
    this.session.carry(answered ? answered.execute(maxRows) : this.session.sql.execute(portal, maxRows));
  }

  #close(body: Uint8Array): void {
    const { target, name } = readTarget(body, 'CLOSE');
    const { sql, output } = this.session;
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
    then: (answer: Answer | undefined) => void,
  ): void {
    const { session } = this;
    const kept = prepared.answer;
    prepared.answer = undefined;
    session.later(kept ?? this.#answers?.(session.queryFacts(prepared.text, values)), then);
  }
}

/** @throws WireError when the answer is one */
function outputsOf(answer: Answer, session: SessionInside): Iterable<SqlOutput> {
  if (answer.kind === 'error') throw answer.error;
  if (answer.kind === 'disconnect') {
    session.end('handler', answer.how);
    return [];
  }
  return answer.outputs;
}
