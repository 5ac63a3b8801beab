declare global {
  /** Set by this folder's Jest configuration: `npm run test:corpus`. */
  var wholeCorpus: boolean | undefined;
}

/** All of a corpus takes a minute: `npm test` proves one in `stride`, from another one on for each `turn`, and at least one. */
export function partOf<T>(corpus: readonly T[], stride: number, turn: number): readonly T[] {
  if (globalThis.wholeCorpus === true) return corpus;
  const first = turn % Math.min(stride, corpus.length);
  return corpus.filter((_, i) => i % stride === first);
}

/** Every number below `end`; where there are many, `npm test` takes one in seven. */
export function* below(end: number): Generator<number> {
  const step = globalThis.wholeCorpus === true || end < 100 ? 1 : 7;
  for (let i = 0; i < end; i += step) yield i;
}

/** How often a property is tried. */
export const propertyRuns = globalThis.wholeCorpus === true ? 60 : 20;
