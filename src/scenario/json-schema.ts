/** The part of JSON Schema (draft 7, which editors understand best) that describing the format needs. */

export interface JsonSchema {
  readonly $schema?: string;
  readonly $ref?: string;
  readonly title?: string;
  readonly definitions?: Readonly<Record<string, JsonSchema>>;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly minProperties?: number;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly propertyNames?: JsonSchema;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly not?: JsonSchema;
}

/** Scalars that are read as text: YAML sees a number in `42`, a boolean in `true`. */
export const textSchema: JsonSchema = { type: ['string', 'number', 'boolean'] };

/** Of a map: exactly one of these keys is there. */
export function exactlyOneOf(...keys: readonly string[]): JsonSchema {
  return { oneOf: keys.map(requiring) };
}

/** Of a map: at least one of these keys is there. */
export function someOf(...keys: readonly string[]): JsonSchema {
  return { anyOf: keys.map(requiring) };
}

/** Of a map: one of these groups of keys is there as a whole, and no key of the others. */
export function exactlyOneGroupOf(...groups: readonly (readonly string[])[]): JsonSchema {
  const keys = groups.flat();
  return {
    anyOf: groups.map((group) => ({
      required: group,
      not: { anyOf: keys.filter((key) => !group.includes(key)).map(requiring) },
    })),
  };
}

/** Of a map: not all of these keys are there. */
export function notTogether(...keys: readonly string[]): JsonSchema {
  return { not: { required: keys } };
}

function requiring(key: string): JsonSchema {
  return { required: [key] };
}
