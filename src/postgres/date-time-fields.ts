/** Date/time literals taken apart into fields, as the manual's appendix "Date/Time Input Interpretation" describes. */

/**
 * number: digits, perhaps with a decimal point · date: with - / . inside, a zone name included · time: with colons ·
 * word: letters · signed: sign and digits (a zone, or a number of an interval) · special: sign and letters
 */
export type FieldKind = 'number' | 'date' | 'time' | 'word' | 'signed' | 'special';

export interface Field {
  readonly kind: FieldKind;
  /** In lower case. */
  readonly text: string;
}

const maxFields = 25;

/** What a field can begin with, tried in this order. The delimiters of a date of digits must be the same. */
const patterns: readonly (readonly [RegExp, FieldKind])[] = [
  [/\d+:[\d:.]*/y, 'time'],
  [/\d+(?:-\d+(?:-[\d-]*)?|\/\d+(?:\/[\d/]*)?|\.\d+\.[\d.]*)/y, 'date'],
  [/\d+\.\d+/y, 'number'],
  [/\d+(?:-[a-z\d-]*|\/[a-z\d/]*|\.[a-z\d.]*)/y, 'date'],
  [/\d+/y, 'number'],
  [/\.\d*/y, 'number'],
  [/[a-z]+[-/.][-+/_.:a-z\d]*/y, 'date'],
  [/[a-z]+/y, 'word'],
  [/[+-]\s*\d[\d:.-]*/y, 'signed'],
  [/[+-]\s*[a-z]+/y, 'special'],
];
/** A zone name such as `etc/gmt+5` has / before; here letters run into a digit or +, as in `utc+3`. */
const runTogether = /[a-z]+[+\d][-+/_.:a-z\d]*/y;
const letters = /[a-z]+/y;
const punctuation = /[!-/:-@[-`{-~\s]/;

/**
 * @param isKeyword whether letters before a digit are a word of their own (`T040506`) rather than the start of a zone
 * @returns undefined for text that cannot be one
 */
export function splitFields(text: string, isKeyword: (word: string) => boolean): Field[] | undefined {
  const lower = text.toLowerCase();
  const fields: Field[] = [];
  let at = 0;
  while (at < lower.length) {
    const field = zoneRunTogether(lower, at, isKeyword) ?? matchField(lower, at);
    if (field !== undefined) {
      if (fields.length >= maxFields) return undefined;
      fields.push({ kind: field.kind, text: field.text.replace(/\s+/g, '') });
      at += field.text.length;
    } else if (punctuation.test(lower[at]!) && !/[+-]/.test(lower[at]!)) {
      at++;
    } else {
      return undefined;
    }
  }
  return fields;
}

function matchField(text: string, at: number): Field | undefined {
  for (const [pattern, kind] of patterns) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match !== null) return { kind, text: match[0] };
  }
  return undefined;
}

function zoneRunTogether(text: string, at: number, isKeyword: (word: string) => boolean): Field | undefined {
  runTogether.lastIndex = at;
  const match = runTogether.exec(text);
  if (match === null) return undefined;
  letters.lastIndex = at;
  return isKeyword(letters.exec(text)![0]) ? undefined : { kind: 'date', text: match[0] };
}
