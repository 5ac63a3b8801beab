import { describe, expect, it } from '@jest/globals';
import { complete, disconnect, error, rows } from './response.js';

/** Column names with type OIDs, and the rows as text. */
function told(answer: ReturnType<typeof rows>): unknown {
  if (answer.kind !== 'outputs') throw new TypeError('no result set');
  const outputs = [...answer.outputs];
  return outputs.map((output) => {
    if (output.kind === 'rowDescription') return output.fields.map(({ name, typeOid }) => [name, typeOid]);
    if (output.kind === 'row') return output.values;
    return output.kind === 'complete' ? output.tag : output;
  });
}

describe('rows', () => {
  it('types columns by their first value, and leaves NULL what a row leaves out', () => {
    expect(
      told(
        rows([
          { a: null, b: 1n, c: 'x' },
          { a: 2.5, b: 3n },
        ]),
      ),
    ).toEqual([
      [
        ['a', 701],
        ['b', 20],
        ['c', 25],
      ],
      [null, '1', 'x'],
      ['2.5', '3', null],
      'SELECT 2',
    ]);
  });

  it('prints values as the server would', () => {
    const [, values] = told(
      rows([{ t: true, f: false, n: 7, d: new Date('2026-01-02T03:04:05.006Z'), x: new Uint8Array([1, 255]), j: [1] }]),
    ) as [unknown, unknown];
    expect(values).toEqual(['t', 'f', '7', '2026-01-02 03:04:05.006+00', '\\x01ff', '[1]']);
  });

  it('takes types by name', () => {
    expect(told(rows([{ a: 1 }], { columns: { a: 'int2', b: '_text' }, tag: 'FETCH 1' }))).toEqual([
      [
        ['a', 21],
        ['b', 1009],
      ],
      ['1', null],
      'FETCH 1',
    ]);
    expect(() => rows([], { columns: { a: 'integr' } })).toThrow('"integr" is not the name of a built-in type');
  });
});

describe('other answers', () => {
  it('are a tag, an error, or the end', () => {
    expect(told(complete('INSERT 0 1'))).toEqual(['INSERT 0 1']);
    expect(error('57P03', 'starting up', { severity: 'FATAL' })).toMatchObject({
      kind: 'error',
      error: { code: '57P03', message: 'starting up', severity: 'FATAL' },
    });
    expect(disconnect()).toEqual({ kind: 'disconnect', how: 'reset' });
  });
});
