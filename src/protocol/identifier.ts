/** SQL identifiers as the server's scanner folds and cuts them (manual: "Identifiers and Key Words"). */

/** NAMEDATALEN - 1: the bytes of a name that the server keeps. */
const maxIdentifierBytes = 63;

const utf8 = new TextEncoder();

/** ASCII letters to lower case; others stay, as in a UTF-8 database. */
export function foldIdentifier(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** The first 63 bytes of a name, whole characters only. */
export function truncateIdentifier(name: string): string {
  // A UTF-16 unit has at most three bytes in UTF-8.
  if (name.length * 3 <= maxIdentifierBytes || utf8.encode(name).length <= maxIdentifierBytes) return name;
  let kept = '';
  let bytes = 0;
  for (const character of name) {
    bytes += utf8.encode(character).length;
    if (bytes > maxIdentifierBytes) break;
    kept += character;
  }
  return kept;
}

/**
 * An SQL identifier list such as `p, "P q"`: unquoted names are folded, quoted ones kept, all cut to 63 bytes.
 * Undefined where the server reports a syntax error; blank text is an empty list.
 */
export function parseIdentifierList(text: string): string[] | undefined {
  const names: string[] = [];
  const item = /[ \t\n\r\f\v]*(?:"([^"]*(?:""[^"]*)*)"|([^", \t\n\r\f\v][^, \t\n\r\f\v]*))[ \t\n\r\f\v]*(,|$)/y;
  if (/^[ \t\n\r\f\v]*$/.test(text)) return names;
  for (;;) {
    const match = item.exec(text);
    if (!match) return undefined;
    const [, quoted, bare, separator] = match;
    names.push(truncateIdentifier(quoted === undefined ? foldIdentifier(bare!) : quoted.replaceAll('""', '"')));
    if (separator === '') return names;
  }
}
