/** AND, OR and NOT with SQL's three values. */
import { typeOids } from '../types/type-oids.js';
import type { Expression, Value } from './expression.js';

export function junction(word: 'and' | 'or', tests: readonly Expression[], location: number): Expression {
  const decisive: Value = word === 'and' ? 'f' : 't';
  const neutral: Value = word === 'and' ? 't' : 'f';
  return {
    type: typeOids.bool,
    typmod: -1,
    key: `${word}(${tests.map((test) => test.key).join()})`,
    children: tests,
    conjuncts: word === 'and' ? tests : undefined,
    evaluate: (frame) => {
      let result: Value = neutral;
      for (const test of tests) {
        const value = test.evaluate(frame);
        if (value === decisive) return decisive;
        if (value === null) result = null;
      }
      return result;
    },
    print: tests.every((test) => test.print)
      ? () => `(${tests.map((test) => test.print!()).join(` ${word.toUpperCase()} `)})`
      : undefined,
    location,
  };
}

export function negation(test: Expression, location: number): Expression {
  return {
    type: typeOids.bool,
    typmod: -1,
    key: `not(${test.key})`,
    children: [test],
    evaluate: (frame) => {
      const value = test.evaluate(frame);
      return value === null ? null : value === 't' ? 'f' : 't';
    },
    print: test.print && (() => `(NOT ${test.print!()})`),
    location,
  };
}
