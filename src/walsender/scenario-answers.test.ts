import { describe, expect, it } from '@jest/globals';
import { typeByOid } from '../postgres/index.js';
import type { QueryFacts } from './answers.js';
import { scenarioAnswers } from './scenario-answers.js';

const source = { file: 'x.yaml', line: 1, column: 1 };
const error = { code: '57P03', message: 'starting up' };

function asked(text: string, command: QueryFacts['command'] = null): QueryFacts {
  const peer = { address: null, port: null };
  const facts = {
    pid: 1,
    peer,
    user: 'u',
    database: 'd',
    replication: 'logical',
    parameters: new Map(),
    tls: false,
  } as const;
  return { ...facts, text, command, values: [] };
}

const plain = {
  when: { user: undefined, database: undefined, applicationName: undefined, tls: undefined, replication: undefined },
  times: Infinity,
  delayMilliseconds: 0,
  notices: [],
  parameters: [],
  outcome: { kind: 'error', error },
  source,
} as const;

describe('scenarioAnswers', () => {
  it('answers the exact text or a pattern, the first that fits, so many times', () => {
    const answers = scenarioAnswers([
      { ...plain, to: { query: 'SELECT 1' }, times: 1 },
      { ...plain, to: { query: /^select/i }, outcome: { kind: 'error', error: { ...error, message: 'any' } } },
    ]);
    const messages = ['SELECT 1', 'SELECT 1', 'SELECT 2', 'SHOW x'].map((text) => {
      const answer = answers.query?.(asked(text));
      return answer && 'error' in answer ? answer.error.message : answer;
    });
    expect(messages).toEqual(['starting up', 'any', 'any', undefined]);
  });

  it('gives rows with the types of their columns, and what comes before them', () => {
    const columns = [{ name: 'n', type: typeByOid(23)!, typeModifier: -1 }];
    const answers = scenarioAnswers([
      {
        ...plain,
        to: { query: 'q' },
        outcome: { kind: 'rows', rows: [['1'], [null]], columns },
        delayMilliseconds: 5,
        parameters: [['a', 'b']],
      },
    ]);
    expect(answers.query?.(asked('q'))).toEqual({
      kind: 'outputs',
      outputs: [
        {
          kind: 'rowDescription',
          fields: [{ name: 'n', tableOid: 0, attnum: 0, typeOid: 23, typeLength: 4, typeModifier: -1, format: 0 }],
        },
        { kind: 'row', values: ['1'] },
        { kind: 'row', values: [null] },
        { kind: 'complete', tag: 'SELECT 2' },
      ],
      delay: 5,
      before: [{ kind: 'parameter', name: 'a', value: 'b' }],
    });
  });

  it('fails stages of the connection and commands', () => {
    const answers = scenarioAnswers([
      { ...plain, to: { on: 'auth' }, times: 1 },
      { ...plain, to: { on: 'START_REPLICATION' } },
    ]);
    const facts = { pid: 1, peer: { address: null, port: null } };
    expect(answers.connection?.('connect', facts)).toBeUndefined();
    expect(answers.connection?.('auth', facts)).toMatchObject({ kind: 'error' });
    expect(answers.connection?.('auth', facts)).toBeUndefined();
    expect(answers.query?.(asked('IDENTIFY_SYSTEM', { kind: 'identifySystem' }))).toBeUndefined();
    const start = { kind: 'startLogical', slot: 's', startLsn: 0n, options: [] } as const;
    expect(answers.query?.(asked('START_REPLICATION …', start))).toMatchObject({ kind: 'error' });
  });

  it('is only for the connections that are meant, and counts no others', () => {
    const answers = scenarioAnswers([
      { ...plain, to: { query: 'q' }, when: { ...plain.when, user: 'u', replication: false }, times: 1 },
      { ...plain, to: { query: 'q' }, when: { ...plain.when, applicationName: 'other' } },
    ]);
    expect(answers.query?.(asked('q'))).toBeUndefined();
    expect(answers.query?.({ ...asked('q'), user: 'x', replication: 'off' })).toBeUndefined();
    expect(answers.query?.({ ...asked('q'), replication: 'off' })).toMatchObject({ kind: 'error' });
    expect(answers.query?.({ ...asked('q'), parameters: new Map([['application_name', 'other']]) })).toBeDefined();
  });
});
