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
import { AnsweredPortal, parameterTypesOf, type PreparedText, type Unanswered } from './statement-answers.js';

export interface ExtendedSession {
  readonly session: SessionInside;
  readonly sql: SqlSession;
  readonly output: Output;
  readonly answers: Answers | undefined;
  readonly queryFacts: (text: string, values: readonly (Uint8Array | null)[]) => QueryFacts;
  /** What SQL has said of the last text that it did not know, once. */
  readonly takeUnanswered: () => Unanswered | undefined;
  /** Has that said again, of the error to come. */
  readonly putUnanswered: (unanswered: Unanswered) => void;
  /** Carries outputs to the client; the next message is read after them. */
  readonly carry: (outputs: Iterable<SqlOutput>) => void;
}

export class ExtendedQuery {
  /** Kept only where handlers may want to answer. */
  readonly #statements = new Map<string, PreparedText>();
  readonly #portals = new Map<string, AnsweredPortal>();
  /** What was bound for SQL, where somebody else may answer what SQL then cannot. */
  readonly #bound = new Map<string, readonly [PreparedText, BindMessage]>();

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
      if (answers?.query || answers?.unanswered || prepared.refusal) this.#statements.set(statement, prepared);
      parseComplete(output.writer);
    };
    const written = { text: query, parameterTypes, answer: undefined };
    try {
      sql.parse(statement, query, parameterTypes);
    } catch (error) {
      if (!answers || !(error instanceof WireError)) throw error;
      // What SQL cannot make anything of may be a handler's all the same.
      const unanswered = answers.unanswered ? this.inside.takeUnanswered() : undefined;
      const prepared: PreparedText = { ...written, refusal: error, unanswered };
      if (unanswered || answers.mayAnswer?.(queryFacts(query, []))) return keep(prepared);
      this.#ask(prepared, [], (answer) => {
        if (!answer) throw error;
        prepared.answer = answer;
        keep(prepared);
      });
      return;
    }
    keep({ ...written, refusal: undefined, unanswered: undefined });
  }

  #bind(message: BindMessage): void {
    const { session, sql, output, answers } = this.inside;
    const prepared = this.#statements.get(message.statement);
    const bound = (): void => bindComplete(output.writer);
    const bindSql = (): void => {
      this.#portals.delete(message.portal);
      const { portal, statement, parameterFormats, parameters, resultFormats } = message;
      sql.bind(portal, statement, parameterFormats, parameters, resultFormats);
      if (prepared && answers?.unanswered) this.#bound.set(portal, [prepared, message]);
      bound();
    };
    if (!prepared) return bindSql();
    const bindAnswer = (answer: GivenAnswer): void => {
      this.#portals.set(message.portal, new AnsweredPortal(outputsOf(answer, session)));
      bound();
    };
    this.#ask(prepared, message.parameters, (answer) => {
      if (answer) bindAnswer(answer);
      else if (prepared.refusal) this.#askLast(prepared, prepared.refusal, message, bindAnswer);
      else bindSql();
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
      if (!answer && prepared.refusal) return this.#describeLast(prepared, prepared.refusal);
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
    const { session, sql, carry } = this.inside;
    if (answered) return carry(answered.execute(maxRows));
    const bound = this.#bound.get(portal);
    if (!bound) return carry(sql.execute(portal, maxRows));
    this.#bound.delete(portal);
    this.#executeOrAsk(sql.execute(portal, maxRows), bound, (answer) => {
      const answeredNow = new AnsweredPortal(outputsOf(answer, session));
      this.#portals.set(portal, answeredNow);
      carry(answeredNow.execute(maxRows));
    });
  }

  /** What SQL knows, but cannot work out, is found when it gives its first output. */
  #executeOrAsk(
    outputs: Generator<SqlOutput, void>,
    [prepared, message]: readonly [PreparedText, BindMessage],
    then: (answer: GivenAnswer) => void,
  ): void {
    let first: IteratorResult<SqlOutput, void>;
    try {
      first = outputs.next();
    } catch (error) {
      const unanswered = this.inside.takeUnanswered();
      if (!unanswered || !(error instanceof WireError)) throw error;
      this.#askLast({ ...prepared, unanswered }, error, message, then);
      return;
    }
    this.inside.carry(resumed(first, outputs));
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

  /** Asks those with the last say for what SQL has refused. */
  #askLast(
    prepared: PreparedText,
    refusal: WireError,
    { parameters, parameterFormats, resultFormats }: BindMessage,
    then: (answer: GivenAnswer) => void,
  ): void {
    const { session, answers, queryFacts } = this.inside;
    const extended = { parameterTypes: prepared.parameterTypes, parameterFormats, resultFormats };
    const facts = { ...queryFacts(prepared.text, parameters), extended };
    ask(session, prepared.unanswered && answers?.unanswered?.(facts, refusal), (answer) => {
      if (answer) then(answer);
      else this.#refuse(prepared, refusal);
    });
  }

  #describeLast(prepared: PreparedText, refusal: WireError): void {
    const { session, answers, queryFacts, output } = this.inside;
    const { parameterTypes } = prepared;
    const extended = { parameterTypes, parameterFormats: [], resultFormats: [] };
    const facts = { ...queryFacts(prepared.text, []), extended };
    session.later(prepared.unanswered && answers?.describe?.(facts), (description) => {
      if (!description) return this.#refuse(prepared, refusal);
      parameterDescription(output.writer, description.parameterTypes);
      this.#result(description.fields);
    });
  }

  #refuse({ unanswered }: PreparedText, refusal: WireError): never {
    if (unanswered) this.inside.putUnanswered(unanswered);
    throw refusal;
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

function* resumed(
  first: IteratorResult<SqlOutput, void>,
  rest: Generator<SqlOutput, void>,
): Generator<SqlOutput, void> {
  if (first.done === true) return;
  yield first.value;
  yield* rest;
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
