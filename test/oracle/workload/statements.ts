/** Splits SQL text into statements as psql does, comments before a statement taken off. */

export function splitStatements(sql: string): string[] {
  const statements: string[] = [];
  let start = 0;
  let parentheses = 0;
  // Depth of BEGIN ATOMIC … END in the body of an SQL function.
  let body = 0;
  for (let at = 0; at < sql.length;) {
    const next = skipToken(sql, at);
    const token = sql.slice(at, next);
    if (token === '(') parentheses++;
    else if (token === ')') parentheses--;
    else if (/^begin$/i.test(token) && /^\s+atomic\b/i.test(sql.slice(next))) body++;
    else if (body > 0 && /^case$/i.test(token)) body++;
    else if (body > 0 && /^end$/i.test(token)) body--;
    else if (token === ';' && parentheses <= 0 && body === 0) {
      add(sql.slice(start, at));
      start = next;
    }
    at = next;
  }
  add(sql.slice(start));
  return statements;

  function add(text: string): void {
    const statement = text.replace(/^(?:\s+|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)+/, '').trimEnd();
    if (statement !== '') statements.push(statement);
  }
}

/** Where the token that begins at `at` ends: a word, a quoted text, a comment, or one character. */
function skipToken(sql: string, at: number): number {
  const rest = sql.slice(at);
  const match =
    /^--[^\n]*/.exec(rest) ??
    /^e'(?:[^'\\]|\\[\s\S]|'')*'/i.exec(rest) ??
    /^'(?:[^']|'')*'/.exec(rest) ??
    /^"(?:[^"]|"")*"/.exec(rest) ??
    /^(\$(?:[a-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$)[\s\S]*?\1/i.exec(rest) ??
    /^[a-z_\u0080-\uffff][\w$\u0080-\uffff]*/i.exec(rest);
  if (match) return at + match[0].length;
  return rest.startsWith('/*') ? skipComment(sql, at) : at + 1;
}

/** Comments nest. */
function skipComment(sql: string, start: number): number {
  let depth = 0;
  let at = start;
  do {
    if (sql.startsWith('/*', at)) {
      depth++;
      at += 2;
    } else if (sql.startsWith('*/', at)) {
      depth--;
      at += 2;
    } else at++;
  } while (depth > 0 && at < sql.length);
  return at;
}
