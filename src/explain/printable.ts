/**
 * A value on one line, as nothing but text: what came from a stream must not move a terminal's cursor, turn the writing
 * direction, or pass for the end of a line. Text that could be misread is put in quotes with escapes.
 */
export function printable(value: string | number): string {
  if (typeof value === 'number') return String(value);
  if (/^[\p{L}\p{M}\p{N}\p{P}\p{S}]+(?: [\p{L}\p{M}\p{N}\p{P}\p{S}]+)*$/u.test(value) && !value.startsWith('"'))
    return value;
  return JSON.stringify(value).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, escapeCharacter);
}

/** At most `length` code points; where some are left out the last one is an ellipsis. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  const characters = Array.from(text.slice(0, 2 * length + 2));
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0)!.toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}
