/** The format as data: its JSON Schema. Made from the same declarations that read the files. */
import { changes } from './format/changes.js';
import { scenarioFile } from './format/scenario.js';
import { steps } from './format/stream.js';
import { partitions } from './format/tables.js';
import type { JsonSchema } from './json-schema.js';

/** The JSON Schema (draft 7) of scenario files. */
export function scenarioJsonSchema(): JsonSchema {
  const definitions = Object.fromEntries(
    [changes, steps, partitions].map((shape) => [shape.definition, shape.define()]),
  );
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'fake-walsender scenario',
    description: 'What happened in a PostgreSQL database, as logical replication clients are to see it.',
    ...scenarioFile.jsonSchema(),
    definitions,
  };
}
