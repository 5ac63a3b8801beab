/** Document → database: what was declared, then the stream. */
import { Database } from '../../database/index.js';
import { Problems } from '../diagnostic.js';
import type { ScenarioDocument } from '../document.js';
import type { Named } from '../object.js';
import type { Partition } from '../format/tables.js';
import type { ServerSettings } from '../settings.js';
import type { Answer, Expectation, ScenarioStep } from '../steps.js';
import { Compilation } from './compilation.js';
import { declareAll } from './declarations.js';
import { answersOf, expectationsOf } from './expectations.js';
import { StreamRunner } from './stream.js';

export interface Execution {
  readonly database: Database;
  readonly steps: readonly ScenarioStep[];
  readonly labels: ReadonlyMap<string, bigint>;
  readonly answers: readonly Answer[];
  readonly expectations: readonly Expectation[];
}

export interface ExecuteOptions {
  /** Every `repeat` as with `track: true`. */
  readonly keepRows?: boolean;
}

/** Everything wrong is in `problems`; reading the timeline afterwards throws what only a late round of a `repeat` meets. */
export function execute(
  document: ScenarioDocument,
  server: ServerSettings,
  seed: number,
  problems: Problems,
  options: ExecuteOptions = {},
): Execution {
  const { nextXid, clockStep } = server;
  const database = new Database({ server, nextXid, clockStep, pinnedOids: pinnedOids(document) });
  const compilation = new Compilation(server, seed, problems, options.keepRows ?? false);
  declareAll(document, database, compilation);
  new StreamRunner(compilation, database).run(document.stream ?? []);
  const answers = answersOf(document, compilation);
  const expectations = expectationsOf(document, compilation);
  compilation.sealed = true;
  const steps = [...compilation.steps.values()];
  return { database, steps, labels: compilation.labels, answers, expectations };
}

/** What is pinned anywhere in the declarations is not given to anything else. */
function pinnedOids(document: ScenarioDocument): number[] {
  const oids: number[] = [];
  const pin = (oid: { readonly value: number } | undefined): void => {
    if (oid !== undefined) oids.push(oid.value);
  };
  const partitions = (children: readonly Named<Partition>[] | undefined): void => {
    for (const { value: partition } of children ?? []) {
      pin(partition.oid);
      partitions(partition.partitions);
    }
  };
  for (const { value: type } of document.types) {
    pin(type.oid);
    pin(type.arrayOid);
  }
  for (const { value: table } of document.tables) {
    pin(table.oid);
    partitions(table.partitions);
  }
  for (const { value: publication } of document.publications ?? []) pin(publication.oid);
  return oids;
}
