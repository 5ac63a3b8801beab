/** "Did you mean": the known name closest to one that is not known. */

/** The closest of `candidates` by edit distance; undefined when none is close enough to be a likely slip. */
export function closest(word: string, candidates: Iterable<string>): string | undefined {
  const folded = fold(word);
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = fold(candidate) === folded ? 0 : editDistance(folded, fold(candidate), bestDistance);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** A hint, or undefined without a close candidate. */
export function didYouMean(word: string, candidates: Iterable<string>): string | undefined {
  const candidate = closest(word, candidates);
  return candidate === undefined ? undefined : `did you mean ${quote(candidate)}?`;
}

/** `a`, `b` or `c`. */
export function alternatives(words: readonly string[], conjunction = 'or'): string {
  const quoted = words.map(quote);
  return quoted.length < 2 ? quoted.join() : `${quoted.slice(0, -1).join(', ')} ${conjunction} ${quoted.at(-1)!}`;
}

/** All of a few words; of many the ones nearest to what was written, or else the first, and how many there are. */
export function alternativesTo(word: string, words: readonly string[], conjunction = 'or'): string {
  if (words.length <= 12) return alternatives(words, conjunction);
  const folded = fold(word);
  const limit = Math.ceil(word.length / 2);
  const distance = (other: string): number =>
    fold(other).includes(folded) ? 0 : Math.min(limit, editDistance(folded, fold(other), limit));
  const nearest = words.toSorted((a, b) => distance(a) - distance(b)).slice(0, 5);
  return `${nearest.map(quote).join(', ')} … (${words.length} in all)`;
}

/** Names in messages stand between backquotes, cut to a readable length, on one line. */
export function quote(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return `\`${line.length > 60 ? `${line.slice(0, 57)}…` : line}\``;
}

function fold(word: string): string {
  return word.toLowerCase().replaceAll('-', '_');
}

/** Optimal string alignment: a swap of neighbours counts once. Gives up at `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let distance = Math.min(previous[j]! + 1, row[j - 1]! + 1, substituted);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        distance = Math.min(distance, beforePrevious[j - 2]! + 1);
      }
      row.push(distance);
    }
    [beforePrevious, previous] = [previous, row];
  }
  return previous[b.length]!;
}
