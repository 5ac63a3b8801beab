/** What holds for all values, of the literals that contain others and of the numbers that JavaScript prints otherwise. */
import { describe, it, expect } from '@jest/globals';
import fc from 'fast-check';
import { arrayOf, parseArray, printArray } from './array.js';
import { typeByName } from './builtin-types.js';
import { parseComposite, printComposite } from './composite.js';
import { printFloat4, printFloat8 } from './float.js';
import { defaultSettings } from './settings.js';
import { opaqueType } from './user-defined.js';

const text = fc.string({ unit: fc.constantFrom(...'ab"\\{}(),; \t\nNULé'.split(/(?:)/u)), maxLength: 8 });
const element = fc.option(text, { nil: null });

describe('literals', () => {
  it('reads back the arrays that it prints', () => {
    const array = fc.tuple(
      fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 3 }),
      fc.infiniteStream(element),
    );
    fc.assert(
      fc.property(
        array,
        fc.constantFrom(',', ';'),
        fc.integer({ min: -2, max: 2 }),
        ([lengths, stream], delimiter, lower) => {
          const elements = [...stream.take(lengths.reduce((a, b) => a * b))];
          const parts = { lengths, lowerBounds: lengths.map(() => lower), elements };
          expect(parseArray(printArray(parts, delimiter), delimiter)).toEqual(parts);
        },
      ),
    );
  });

  it('reads back the composites that it prints', () => {
    fc.assert(
      fc.property(fc.array(element, { minLength: 1, maxLength: 5 }), (values) => {
        expect(parseComposite(printComposite(values), values.length)).toEqual(values);
      }),
    );
  });

  it('reads back the floats that it prints', () => {
    fc.assert(
      fc.property(fc.double(), (value) => expect(Number(printFloat8(value))).toBe(value)),
      { numRuns: 1000 },
    );
    const float4 = typeByName('float4')!;
    const single = fc.float({ noNaN: true });
    fc.assert(
      fc.property(single, (value) => {
        const sent = float4.send!(printFloat4(value), defaultSettings(18));
        expect(new DataView(sent.buffer).getFloat32(0)).toBe(value);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('binary form', () => {
  it('does not exist of an array of a type without one', () => {
    const send = arrayOf(typeByName('aclitem')!).send!;
    expect(() => send('{=r/postgres}', defaultSettings(18))).toThrow(
      expect.objectContaining({
        sqlState: '42883',
        message: 'no binary output function available for type aclitem',
      }),
    );
  });

  it('does not exist of a type of which only the name is known', () => {
    const hstore = opaqueType({ oid: 16400, namespace: 'public', name: 'hstore' });
    expect(hstore.input('"a"=>"b"', -1, 18)).toBe('"a"=>"b"');
    expect(hstore.send).toBeUndefined();
  });
});
