/** Fenced blocks of the documentation, and what their info strings say of them: `sh run status=1`, `yaml file=a.yaml`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Fence {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  /** The words after the language. */
  readonly marks: readonly string[];
  readonly text: string;
}

const root = join(import.meta.dirname, '../..');

export const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

export function fencesOf(page: string): Fence[] {
  const text = readFileSync(join(root, page), 'utf8');
  return Array.from(text.matchAll(/^```(\w+)(.*)\n([\s\S]*?)^```$/gm), ({ 1: language, 2: marks, 3: body, index }) => ({
    page,
    line: text.slice(0, index).split('\n').length,
    language: language!,
    marks: marks!.trim().split(/\s+/),
    text: body!,
  }));
}

/** `file=a.yaml` → `a.yaml` */
export function markOf({ marks }: Fence, name: string): string | undefined {
  return marks.find((mark) => mark.startsWith(`${name}=`))?.slice(name.length + 1);
}
