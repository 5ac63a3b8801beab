/**
 * Every recorded input of every type, on every major: the canonical text's output under each of the recorded settings,
 * the bytes sent, or the error, are those of the real servers. The files are made by scripts/record-types.mjs, except
 * captured-*.json: these are values from pgoutput streams of real servers, of which the text is the input, too.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, expect } from '@jest/globals';
import {
  defaultSettings,
  parseTypeName,
  ValueError,
  type OutputSettings,
  type PgType,
} from '../../src/postgres/index.js';
import { recordedScope } from './recorded-scope.js';

/** Bytes: null, the same as the text; `?`, not captured. */
type Outcome =
  [text: string, hex?: string | null, variants?: Record<string, string>] | { error: string; message: string };
type Row = [input: string, outcome: Outcome | Record<string, Outcome>, majors?: [first: number, last: number]];

interface Recording {
  settings: Record<string, Record<string, string>>;
  /** Of user-defined types and tables. */
  oids: Record<string, Record<string, number>>;
  since: Record<string, number>;
  /** Ranks of the inputs by the type's order on the newest server; null for refused ones. */
  order?: Record<string, (number | null)[]>;
  types: Record<string, Row[]>;
}

const majors = [10, 11, 12, 13, 14, 15, 16, 17, 18];
const files = readdirSync(__dirname).filter((file) => file.endsWith('.json'));

describe.each(files)('%s', (file) => {
  const recording = JSON.parse(readFileSync(join(__dirname, file), 'utf8')) as Recording;
  const settings = Object.entries(recording.settings).map(([name, values]) => [name, settingsOf(values)] as const);
  it.each(Object.keys(recording.types))('%s', (typeName) => {
    const differences: string[] = [];
    for (const major of majors.filter((m) => m >= (recording.since[typeName] ?? 10))) {
      const oids = recording.oids[major] ?? {};
      const { type, typeModifier } = parseTypeName(typeName, major, recordedScope(oids));
      const defaults = { ...defaultSettings(major), oidOf: (_: string, name: string) => oids[name] };
      for (const [input, outcomes, [first, last] = [10, 18]] of recording.types[typeName]!) {
        if (major < first || major > last) continue;
        const found = ours(type, input, typeModifier, defaults, settings);
        const difference = describeDifference(outcomeOf(outcomes, major), found);
        if (difference !== undefined) differences.push(`${major} ${JSON.stringify(input)}: ${difference}`);
      }
    }
    expect(differences).toEqual([]);
  });

  const order = recording.order ?? {};
  const typeOf = (typeName: string) => parseTypeName(typeName, 18, recordedScope(recording.oids['18'] ?? {}));
  // Types such as jsonb have an order on the server, but none here.
  const ordered = Object.keys(order).filter((typeName) => typeOf(typeName).type.compare !== undefined);
  if (ordered.length === 0) return;
  it.each(ordered)('%s: order', (typeName) => {
    const { type, typeModifier } = typeOf(typeName);
    const values = recording.types[typeName]!.flatMap(([input], i) => {
      const rank = order[typeName]![i] ?? null;
      return rank === null ? [] : [{ rank, text: type.input(input, typeModifier, 18) }];
    });
    const compare = type.compare!;
    const wrong = values.flatMap((a) => {
      const others = values.filter((b) => Math.sign(compare(a.text, b.text)) !== Math.sign(a.rank - b.rank));
      return others.map((b) => `${a.text} and ${b.text}`);
    });
    expect(wrong).toEqual([]);
  });
});

/** The outcome of the last major up to this one on which it changed. */
function outcomeOf(outcomes: Outcome | Record<string, Outcome>, major: number): Outcome {
  if (Array.isArray(outcomes) || 'error' in outcomes) return outcomes as Outcome;
  let found: Outcome = { error: 'none', message: 'not recorded' };
  for (const [from, outcome] of Object.entries(outcomes)) {
    if (Number(from) <= major) found = outcome;
  }
  return found;
}

/** The parts that differ; undefined for none. */
function describeDifference(expected: Outcome, found: Outcome): string | undefined {
  if (!Array.isArray(expected) || !Array.isArray(found)) {
    const [server, here] = [JSON.stringify(expected), JSON.stringify(found)];
    return server === here ? undefined : `server ${server}, here ${here}`;
  }
  const parts = (expected[1] === '?' ? [0] : [0, 1]).map((i) => [
    ['text', 'bytes'][i]!,
    expected[i as 0 | 1] ?? null,
    found[i as 0 | 1] ?? null,
  ]);
  const [a, b] = [expected[2] ?? {}, found[2] ?? {}];
  for (const name of Object.keys({ ...a, ...b })) parts.push([name, a[name] ?? expected[0], b[name] ?? found[0]]);
  const different = parts.filter(([, server, here]) => server !== here);
  return different.length === 0 ? undefined : different.map(([n, s, h]) => `${n!}: server ${s}, here ${h}`).join('; ');
}

/** What src/postgres makes of the input, in the form of the recording. */
function ours(
  type: PgType,
  input: string,
  typeModifier: number,
  defaults: OutputSettings,
  settings: readonly (readonly [name: string, settings: Partial<OutputSettings>])[],
): Outcome {
  const { major } = defaults;
  try {
    const canonical = type.input(input, typeModifier, major);
    const again = type.input(canonical, typeModifier, major);
    // Until 11 float4 is read as float8 and then narrowed, which is not exact; xml loses another line feed each time.
    if (again !== canonical && major >= 12 && type.name !== 'xml')
      return { error: 'unstable', message: `${canonical} became ${again}` };
    const text = type.output?.(canonical, defaults) ?? canonical;
    const sent = type.send === undefined ? Buffer.from(text) : Buffer.from(type.send(canonical, defaults));
    const hex = sent.equals(Buffer.from(text)) ? null : sent.toString('hex');
    const variants: Record<string, string> = {};
    for (const [name, assigned] of settings) {
      const output = type.output?.(canonical, { ...defaults, ...assigned }) ?? canonical;
      if (output !== text) variants[name] = output;
    }
    if (Object.keys(variants).length > 0) return [text, hex, variants];
    return hex === null ? [text] : [text, hex];
  } catch (error) {
    if (!(error instanceof ValueError)) throw error;
    return { error: error.sqlState, message: error.message };
  }
}

function settingsOf(assignments: Record<string, string>): Partial<OutputSettings> {
  const settings: { -readonly [K in keyof OutputSettings]?: OutputSettings[K] } = {};
  for (const [name, value] of Object.entries(assignments)) {
    if (name === 'DateStyle') {
      const [format = '', order = 'MDY'] = value.toUpperCase().split(', ');
      settings.dateStyle = { format, order } as OutputSettings['dateStyle'];
    } else if (name === 'IntervalStyle') settings.intervalStyle = value as OutputSettings['intervalStyle'];
    else if (name === 'TimeZone') settings.timeZone = value;
    else if (name === 'extra_float_digits') settings.extraFloatDigits = Number(value);
    else settings.byteaOutput = value as OutputSettings['byteaOutput'];
  }
  return settings;
}
