import { builtinType } from './pg-type.js';
import { compareText } from './character.js';
import { invalidSyntax } from './input-error.js';
import { sendBytea } from './bytea.js';

const canonicalForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** Hyphens may stand after any group of four digits. */
const anyForm = /^(?:[0-9a-f]{4}-?){7}[0-9a-f]{4}$/i;

function inputUuid(text: string): string {
  if (canonicalForm.test(text)) return text;
  const inner = text.startsWith('{') && text.endsWith('}') ? text.slice(1, -1) : text;
  if (!anyForm.test(inner)) throw invalidSyntax('uuid', text);
  const digits = inner.replaceAll('-', '').toLowerCase();
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function sendUuid(canonical: string): Uint8Array {
  return sendBytea(`\\x${canonical.replaceAll('-', '')}`);
}

export const uuidTypes = [
  builtinType(2950, 'uuid', 16, 2951, { input: inputUuid, send: sendUuid, compare: compareText }),
];
