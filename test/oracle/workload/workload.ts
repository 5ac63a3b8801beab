/** workload.yaml: what is run against a server, and the clients that read the stream. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

const bounds = { min: z.number().optional(), max: z.number().optional() };
/** YAML may read an option's value as a number or a boolean. */
const texts = z.record(z.string(), z.coerce.string());
const sql = z.strictObject({ sql: z.string(), ...bounds });
const step = z.union([
  z.strictObject({
    sql: z.string(),
    session: z.string().default('main'),
    stdin: z.string().optional(),
    expectError: z.boolean().default(false),
    ...bounds,
  }),
  z.strictObject({ catalog: z.string(), ...bounds }),
  z.strictObject({ capture: z.string(), confirm: z.boolean().default(false), ...bounds }),
]);
const variant = z.strictObject({
  name: z.string(),
  options: texts,
  gucs: texts.default({}),
  slot: z.strictObject({ two_phase: z.boolean().default(false) }).default({ two_phase: false }),
  expectError: z.union([z.boolean(), z.literal('any')]).default(false),
  firstOptions: texts.default({}),
  ...bounds,
});
const workload = z.strictObject({
  name: z.string(),
  title: z.string(),
  setup: z.array(sql).default([]),
  publications: z.array(sql).default([]),
  steps: z.array(step),
  variants: z.array(variant),
  live: z.boolean().default(false),
  ...bounds,
});

export type Workload = z.infer<typeof workload>;
export type Step = z.infer<typeof step>;
export type Variant = z.infer<typeof variant>;

/** @throws Error that names the file and what is wrong with it */
export function loadWorkload(file: string): Workload {
  const result = workload.safeParse(parse(readFileSync(file, 'utf8')));
  if (!result.success) throw new Error(`${file} is not a workload:\n${z.prettifyError(result.error)}`);
  return result.data;
}

export function appliesTo(
  { min, max }: { min?: number | undefined; max?: number | undefined },
  major: number,
): boolean {
  return major >= (min ?? 0) && major <= (max ?? Infinity);
}
