import { describe, it, expect } from '@jest/globals';
import fc from 'fast-check';
import { calculate, roundDecimal, truncateDecimal, wholeDecimal, type DecimalOperator } from './decimal.js';

describe('calculate', () => {
  // As a server answers `SELECT a::numeric op b::numeric`.
  it.each<[string, DecimalOperator, string, string]>([
    ['1.10', '+', '2.222', '3.322'],
    ['1', '-', '1.00', '0.00'],
    ['-1.5', '*', '2.25', '-3.375'],
    ['10', '/', '3', '3.3333333333333333'],
    ['1', '/', '30000', '0.000033333333333333333333'],
    ['100000', '/', '3', '33333.333333333333'],
    ['7.5', '/', '0.0025', '3000.0000000000000000'],
    ['-7', '%', '3', '-1'],
    ['7.5', '%', '2', '1.5'],
    ['0', '/', '5', '0.00000000000000000000'],
  ])('%s %s %s = %s', (a, operator, b, result) => {
    expect(calculate(operator, a, b)).toBe(result);
  });

  it('refuses to divide by zero', () => {
    expect(() => calculate('/', '1', '0.00')).toThrow('division by zero');
  });

  it('undoes with - what + did', () => {
    const decimals = fc
      .tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.integer({ min: 1, max: 20 }))
      .map(([digits, scale]) => {
        const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0');
        return `${digits < 0n ? '-' : ''}${text.slice(0, -scale)}.${text.slice(-scale)}`;
      });
    fc.assert(
      fc.property(decimals, decimals, (a, b) => {
        const back = calculate('-', calculate('+', a, b), b);
        expect(calculate('-', back, a)).toMatch(/^0\.0+$/);
      }),
    );
  });
});

describe('rounding', () => {
  it.each([
    ['2.5', 0, '3'],
    ['-2.5', 0, '-3'],
    ['2.567', 2, '2.57'],
    ['2.5', 3, '2.500'],
    ['1250', -2, '1300'],
    ['1249', -2, '1200'],
  ])('round(%s, %d) = %s', (value, digits, result) => {
    expect(roundDecimal(value, digits)).toBe(result);
  });

  it.each([
    ['2.99', 0, '2'],
    ['-2.99', 1, '-2.9'],
    ['1299', -2, '1200'],
  ])('trunc(%s, %d) = %s', (value, digits, result) => {
    expect(truncateDecimal(value, digits)).toBe(result);
  });

  it('ceil and floor go up and down', () => {
    expect(['2.1', '-2.1', '2.0'].map((value) => wholeDecimal(value, 'up'))).toEqual(['3', '-2', '2']);
    expect(['2.1', '-2.1', '2.0'].map((value) => wholeDecimal(value, 'down'))).toEqual(['2', '-3', '2']);
  });
});
