import { describe, it, expect } from '@jest/globals';
import { majorFacts, newestMajor, oldestMajor } from './major.js';

describe('majorFacts', () => {
  // As counted in the start-up of real servers 10 to 18; 19 and 20 follow source.
  it('has as many ParameterStatus messages as servers send', () => {
    const counts = Array.from({ length: 11 }, (_, i) => majorFacts(10 + i).parameterStatus.length);
    expect(counts).toEqual([11, 11, 11, 11, 13, 13, 14, 14, 15, 15, 15]);
  });

  it('knows the majors that are emulated, and no others', () => {
    expect([oldestMajor, newestMajor]).toEqual([10, 20]);
    expect(majorFacts(17)).toMatchObject({ major: 17, maxProtoVersion: 4, extraFloatDigits: 1 });
    expect(() => majorFacts(9)).toThrow('server major 9: expected 10 to 20');
    expect(() => majorFacts(21)).toThrow(RangeError);
  });
});
