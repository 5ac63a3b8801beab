import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { scenarioJsonSchema } from '../../src/scenario/index.js';
import { expectGolden } from '../scenario/golden-text.js';

const root = join(import.meta.dirname, '../..');

it('the reference is what its script makes of the schema', () => {
  const reference = execFileSync(process.execPath, [join(root, 'scripts/scenario-reference.mjs')], {
    input: JSON.stringify(scenarioJsonSchema()),
    encoding: 'utf8',
  });
  expect(reference).not.toContain('undefined');
  expectGolden(join(root, 'docs/scenario-reference.md'), reference);
});
