/** Names with dots in text: `public."Users"`. */
import { foldIdentifier } from '../../protocol/identifier.js';
import { sqlError } from '../failure.js';

/** Unquoted parts are folded to lower case. @throws SqlError 42602 */
export function parseQualifiedName(text: string): string[] {
  const part = /\s*(?:"((?:[^"]|"")+)"|([^\s".]+))\s*(\.|$)/y;
  const parts: string[] = [];
  for (;;) {
    const match = part.exec(text);
    if (match === null) throw sqlError('42602', 'invalid name syntax');
    parts.push(match[1] === undefined ? foldIdentifier(match[2]!) : match[1].replaceAll('""', '"'));
    if (match[3] === '') return parts;
  }
}
