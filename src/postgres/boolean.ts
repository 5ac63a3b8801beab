import { builtinType } from './pg-type.js';
import { compareText } from './character.js';
import { invalidSyntax, trimSpace } from './input-error.js';

const words = new Map([
  ...['t', 'tr', 'tru', 'true', 'y', 'ye', 'yes', 'on', '1'].map((word) => [word, 't'] as const),
  ...['f', 'fa', 'fal', 'fals', 'false', 'n', 'no', 'of', 'off', '0'].map((word) => [word, 'f'] as const),
]);

function inputBoolean(text: string): string {
  if (text === 't' || text === 'f') return text;
  const canonical = words.get(trimSpace(text).toLowerCase());
  if (canonical === undefined) throw invalidSyntax('boolean', text);
  return canonical;
}

function sendBoolean(canonical: string): Uint8Array {
  return Uint8Array.of(canonical === 't' ? 1 : 0);
}

export const booleanTypes = [
  builtinType(16, 'bool', 1, 1000, { input: inputBoolean, send: sendBoolean, compare: compareText }),
];
