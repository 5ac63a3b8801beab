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

/** How often a property is tried. */
export const propertyRuns = globalThis.wholeCorpus === true ? 60 : 20;
