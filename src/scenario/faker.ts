/**
 * Values from @faker-js/faker, reproducible: each one has a generator of its own, seeded by the scenario's seed, its place
 * and the round of its `repeat`, so that a value does not depend on which others were made before it.
 */
import { loadFaker } from './lazy.cjs';
import { didYouMean, quote } from './suggestion.js';
import { TemplateError } from './template-error.js';

type Faker = ReturnType<typeof loadFaker>;
type AnyFunction = (...args: unknown[]) => unknown;

export interface FakerFunction {
  readonly module: string;
  readonly name: string;
  readonly args: readonly unknown[];
}

/** What lies on the Faker object beside the modules of functions. */
const notModules = ['rawDefinitions', 'definitions'];

/** @throws TemplateError when faker has no such function */
export function fakerFunction(module: string, name: string, args: readonly unknown[]): FakerFunction {
  const faker = loadFaker() as unknown as Record<string, Record<string, unknown>>;
  const modules = Object.keys(faker).filter((key) => !key.startsWith('_') && !notModules.includes(key));
  if (!modules.includes(module)) {
    const hint = didYouMean(module, modules) ?? `faker has ${modules.join(', ')}`;
    throw new TemplateError(`faker has no module ${quote(module)}`, hint);
  }
  const functions = functionsOf(faker[module]!);
  if (!functions.includes(name)) {
    const hint = didYouMean(name, functions) ?? `faker.${module} has ${functions.join(', ')}`;
    throw new TemplateError(`faker has no function ${quote(`${module}.${name}`)}`, hint);
  }
  return { module, name, args };
}

function functionsOf(module: object): string[] {
  const names = new Set<string>();
  for (let level: object | null = module; level !== null && level !== Object.prototype;) {
    for (const name of Object.getOwnPropertyNames(level)) {
      if (name !== 'constructor' && typeof (module as Record<string, unknown>)[name] === 'function') names.add(name);
    }
    level = Object.getPrototypeOf(level) as object | null;
  }
  return [...names].sort();
}

export class FakerValues {
  private readonly randomizer = new SeededRandomizer();
  private faker: Faker | undefined;

  constructor(
    private readonly seed: number,
    /** What "now" is to faker's dates. */
    private readonly now: Date,
  ) {}

  /**
   * @param seed - the place's hash
   * @param round - the hash of the rounds around it
   * @throws TemplateError when faker refuses the arguments
   */
  call(call: FakerFunction, seed: number, round: number): string | null {
    const faker = this.at(seed, round);
    const module = (faker as unknown as Record<string, Record<string, AnyFunction>>)[call.module]!;
    let value: unknown;
    try {
      value = module[call.name]!(...call.args);
    } catch (error) {
      throw new TemplateError(`faker's ${call.module}.${call.name} refuses its arguments: ${(error as Error).message}`);
    }
    return fakerText(value);
  }

  /** Faker itself, its generator set to this place and round. */
  at(seed: number, round: number): Faker {
    this.faker ??= this.make();
    this.randomizer.start(this.seed, seed, round);
    return this.faker;
  }

  private make(): Faker {
    const english = loadFaker();
    const Faker = english.constructor as new (options: object) => Faker;
    const faker = new Faker({ locale: english.rawDefinitions, randomizer: this.randomizer });
    faker.setDefaultRefDate(this.now);
    return faker;
  }
}

/** Dates as ISO 8601, objects as JSON. */
function fakerText(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'object') return JSON.stringify(value);
  return typeof value === 'string' ? value : (value as number | bigint | boolean).toString();
}

/** sfc32 by Chris Doty-Humphrey: small state, so that starting anew for each value costs little. */
class SeededRandomizer {
  private a = 0;
  private b = 0;
  private c = 0;
  private counter = 1;

  start(a: number, b: number, c: number): void {
    this.a = a | 0;
    this.b = b | 0;
    this.c = c | 0;
    this.counter = 1;
    for (let i = 0; i < 12; i++) this.word();
  }

  /** What faker.seed() calls: nothing in a scenario does. */
  seed(seed: number | readonly number[]): void {
    this.start(typeof seed === 'number' ? seed : (seed[0] ?? 0), 0, 0);
  }

  /** 0 ≤ value < 1, with 53 random bits. */
  next(): number {
    return ((this.word() >>> 5) * 0x400_0000 + (this.word() >>> 6)) / 2 ** 53;
  }

  private word(): number {
    const word = (this.a + this.b + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = ((this.c << 21) | (this.c >>> 11)) + word;
    this.c |= 0;
    return word;
  }
}

/** FNV-1a over UTF-16 units, 32 bits. */
export function hashText(text: string): number {
  let hash = 0x811c_9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x0100_0193);
  return hash >>> 0;
}

/** The hash of the rounds around an inner `repeat`. */
export function hashRound(outer: number, index: number): number {
  const mixed = Math.imul(outer ^ (index + 0x9e37_79b9), 0x85eb_ca6b);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}
