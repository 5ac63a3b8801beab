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

// Inside `allOf`, as editors take an `anyOf` of the map itself for a choice between maps, and offer that.

/** Of a map: exactly one of these keys is there. */
export function exactlyOneOf(...keys: readonly string[]): JsonSchema {
  return { allOf: [{ oneOf: keys.map(requiring) }] };
}

/** Of a map: at least one of these keys is there. */
export function someOf(...keys: readonly string[]): JsonSchema {
  return { allOf: [{ anyOf: keys.map(requiring) }] };
}

/** Of a map: one of these groups of keys is there as a whole, and no key of the others. */
export function exactlyOneGroupOf(...groups: readonly (readonly string[])[]): JsonSchema {
  const keys = groups.flat();
  const choices = groups.map((group) => ({
    required: group,
    not: { anyOf: keys.filter((key) => !group.includes(key)).map(requiring) },
  }));
  return { allOf: [{ anyOf: choices }] };
}

/** Of a map: not all of these keys are there. */
export function notTogether(...keys: readonly string[]): JsonSchema {
  return { not: { required: keys } };
}

function requiring(key: string): JsonSchema {
  return { required: [key] };
}
