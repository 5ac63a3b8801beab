import { describe, it, expect } from '@jest/globals';
import type { FunctionDefinition } from './definition.js';
import { allFunctions } from './registry.js';
import { serverFunctions } from './server-functions.js';

/** Recorded as `text,int4>text`. */
function signatureOf({ name, parameters, result, body }: FunctionDefinition): string {
  const arrow = body.kind === 'set' ? '>>' : body.kind === 'aggregate' || body.kind === 'window' ? '=>' : '>';
  return `${name}(${parameters.map(({ type }) => type).join()})${arrow}${result}`;
}

function recordedSignatures(major: number, name: string): string[] {
  return serverFunctions(major, name).map(({ parameters, kind, result }) => {
    const arrow = kind === 'set' ? '>>' : kind === 'other' ? '=>' : '>';
    return `${name}(${parameters.join()})${arrow}${result}`;
  });
}

/** Functions of other schemas are not recorded; operators' functions neither. */
const unrecorded = new Set(['_pg_expandarray', 'pg_typeof']);

describe('emulated functions', () => {
  it.each([10, 11, 12, 13, 14, 15, 16, 17, 18])('are those of a server of major %d', (major) => {
    const unknown = allFunctions(major)
      .filter(({ name }) => !unrecorded.has(name))
      .filter((definition) => !recordedSignatures(major, definition.name).includes(signatureOf(definition)))
      .map((definition) => `${signatureOf(definition)}, not ${recordedSignatures(major, definition.name).join(' ')}`);
    expect(unknown).toEqual([]);
  });
});
