/** Reads the recorded lines of this folder: an optional range in front, `[10-13]`, `[-11]`, `[14-]`, tells the majors. */

const range = /^\[(\d*)-(\d*)\]/;

function holds(entry: string, major: number): string | undefined {
  const match = range.exec(entry);
  if (match === null) return entry;
  if (match[1] !== '' && major < Number(match[1])) return undefined;
  if (match[2] !== '' && major > Number(match[2])) return undefined;
  return entry.slice(match[0].length);
}

/** The lines that hold for `major`, without their ranges. */
export function linesOf(text: string, major: number): string[] {
  const lines: string[] = [];
  for (const entry of text.split('\n')) {
    const line = entry === '' ? undefined : holds(entry, major);
    if (line !== undefined) lines.push(line);
  }
  return lines;
}

/** The same of words in one line. */
export function wordsOf(line: string, major: number): string[] {
  const words: string[] = [];
  for (const entry of line.split(' ')) {
    const word = entry === '' ? undefined : holds(entry, major);
    if (word !== undefined) words.push(word);
  }
  return words;
}

/** `~` is NULL, `''` the empty string, `␣` a blank. */
export function cell(word: string | undefined): string | null {
  if (word === undefined || word === '~') return null;
  return word === "''" ? '' : word.replaceAll('␣', ' ');
}

/** Remembers what `make` gave for each major. */
export function perMajor<T>(make: (major: number) => T): (major: number) => T {
  const made = new Map<number, T>();
  return (major) => {
    let value = made.get(major);
    if (value === undefined) {
      value = make(major);
      made.set(major, value);
    }
    return value;
  };
}
