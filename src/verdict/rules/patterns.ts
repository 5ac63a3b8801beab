/** A pattern, or a part of the text. */
export function matches(text: string, pattern: string | RegExp): boolean {
  if (typeof pattern === 'string') return text.includes(pattern);
  // A pattern with the flag g or y remembers where it was.
  pattern.lastIndex = 0;
  return pattern.test(text);
}

export function formatPattern(pattern: string | RegExp): string {
  return typeof pattern === 'string' ? `"${pattern}"` : String(pattern);
}
