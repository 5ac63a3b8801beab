/** The scenarios that come with the package: names relative to the folder, and where they are. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../scenarios');

export const scenarioFiles: readonly (readonly [name: string, path: string])[] = readdirSync(folder, {
  recursive: true,
  encoding: 'utf8',
})
  .filter((name) => name.endsWith('.yaml'))
  .sort()
  .map((name) => [name.replaceAll('\\', '/'), join(folder, name)]);
