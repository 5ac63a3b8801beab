/** LIKE patterns and regular expressions, as JavaScript's. */
import { NotEmulated, sqlError } from '../failure.js';

const limit = 500;
const compiled = new Map<string, RegExp>();

function remembered(key: string, make: () => RegExp): RegExp {
  let pattern = compiled.get(key);
  if (pattern === undefined) {
    if (compiled.size >= limit) compiled.clear();
    pattern = make();
    compiled.set(key, pattern);
  }
  return pattern;
}

/** % any characters, _ one, \ takes the next as it is. @throws SqlError 22025 */
export function likePattern(pattern: string, ignoreCase: boolean, escape = '\\'): RegExp {
  return remembered(`${ignoreCase ? 'i' : 'l'}${escape}${pattern}`, () => {
    let source = '';
    for (let i = 0; i < pattern.length; i++) {
      const character = pattern[i]!;
      if (character === escape && escape !== '') {
        if (++i >= pattern.length) throw sqlError('22025', 'LIKE pattern must not end with escape character');
        source += literal(pattern[i]!);
      } else if (character === '%') source += '[^]*';
      else if (character === '_') source += '[^]';
      else source += literal(character);
    }
    return new RegExp(`^${source}$`, ignoreCase ? 'iu' : 'u');
  });
}

function literal(character: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(character) ? `\\${character}` : character;
}

/** What PostgreSQL's regular expressions have and JavaScript's lack or mean otherwise. */
const onlyPostgres = /\\[mMyYAZ]|\[\[[.=:<>]|\(\?[a-z]|^\*\*\*|\\[cxuU0]/;
const characterClasses: readonly (readonly [RegExp, string])[] = [
  [/\[:alpha:\]/g, '\\p{L}'],
  [/\[:digit:\]/g, '\\d'],
  [/\[:alnum:\]/g, '\\p{L}\\d'],
  [/\[:space:\]/g, '\\s'],
  [/\[:upper:\]/g, '\\p{Lu}'],
  [/\[:lower:\]/g, '\\p{Ll}'],
];

/** @throws NotEmulated, SqlError 2201B */
export function regularExpression(pattern: string, ignoreCase: boolean, global = false): RegExp {
  return remembered(`${ignoreCase ? 'I' : 'R'}${global ? 'g' : ''}${pattern}`, () => {
    const source = characterClasses.reduce((text, [name, replacement]) => text.replace(name, replacement), pattern);
    if (onlyPostgres.test(source)) throw new NotEmulated(`the regular expression ${pattern}`);
    const flags = `s${ignoreCase ? 'i' : ''}${global ? 'g' : ''}`;
    try {
      return new RegExp(source, `${flags}u`);
    } catch {
      return sloppyExpression(source, flags, pattern);
    }
  });
}

/** Escapes of characters that need none are errors with JavaScript's flag u. */
function sloppyExpression(source: string, flags: string, pattern: string): RegExp {
  try {
    return new RegExp(source, flags);
  } catch {
    throw sqlError('2201B', `invalid regular expression: ${pattern}`);
  }
}
