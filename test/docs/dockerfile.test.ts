import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { validate } from 'dockerfile-utils';

const root = join(import.meta.dirname, '../..');
const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');

describe('the Dockerfile', () => {
  it('has no mistake, nor anything that a linter would warn of', () => {
    expect(validate(dockerfile)).toEqual([]);
  });

  it('builds in one stage, and runs in another without rights', () => {
    const stages = dockerfile.split(/^FROM /m).slice(1);
    expect(stages).toHaveLength(2);
    const [, last] = stages;
    expect(last).toMatch(/^USER node$/m);
    expect(last).toMatch(/^ENTRYPOINT \["fake-walsender"\]$/m);
    expect(last).not.toMatch(/^COPY (?!--from=build )/m);
  });
});
