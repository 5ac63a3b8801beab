/** A dump by itself, without a scenario that includes it. */
import { Problems, type Diagnostic } from '../diagnostic.js';
import type { MapNode } from '../node.js';
import { Source } from '../source.js';
import type { SqlSupport } from '../sql-support.js';
import { readDump } from './dump-reading.js';

export interface SchemaDump {
  /** `types`, `tables` and `publications` as a scenario has them; undefined when there are errors. */
  readonly schema: MapNode | undefined;
  readonly problems: readonly Diagnostic[];
  readonly sources: ReadonlyMap<string, Source>;
}

/** @param file - how diagnostics name it */
export function readSchemaDump(text: string, file: string, support: SqlSupport): SchemaDump {
  const problems = new Problems();
  const source = new Source(file, text);
  problems.sources.set(file, source);
  const schema = readDump({ source, start: 0, end: text.length }, problems, support);
  return { schema: problems.hasErrors ? undefined : schema, problems: problems.sorted(), sources: problems.sources };
}
