/** tsvector: lexemes in order, each with positions and weights (A to D; D is not shown). */
import { concatBytes, int16Bytes, int32Bytes, utf8 } from './big-endian.js';
import { compareText } from './character.js';
import { LexemeReader, quoteLexeme } from './lexeme-reader.js';
import { builtinType, ValueError } from './pg-type.js';

interface Position {
  /** 1 to 16383 */
  readonly position: number;
  /** 0 (D) to 3 (A) */
  readonly weight: number;
}

const maxPosition = 16_383;
const maxPositions = 255;
const maxBytes = 2046;

function inputTsvector(text: string): string {
  const lexemes = [...parseTsvector(text)].sort(([a], [b]) => compareText(a, b));
  return lexemes.map(([word, positions]) => quoteLexeme(word) + printPositions(positions)).join(' ');
}

/** Positions of equal words are put together. */
function parseTsvector(text: string): Map<string, Position[]> {
  const fail = (): ValueError => new ValueError('42601', `syntax error in tsvector: "${text}"`);
  const reader = new LexemeReader(text, false, fail);
  const lexemes = new Map<string, Position[]>();
  for (let word = reader.word(); word !== undefined; word = reader.word()) {
    const length = utf8(word).length;
    if (length > maxBytes) {
      throw new ValueError('54000', `word is too long (${length} bytes, max ${maxBytes} bytes)`);
    }
    const positions = lexemes.get(word) ?? [];
    positions.push(...readPositions(reader, fail));
    lexemes.set(word, positions);
  }
  for (const [word, positions] of lexemes) lexemes.set(word, normalize(positions));
  return lexemes;
}

/** `:1A,2` */
function readPositions(reader: LexemeReader, fail: () => ValueError): Position[] {
  if (reader.peek() !== ':') return [];
  reader.at++;
  const list = /^\d+[A-Da-d*]?\d*(?:,\d+[A-Da-d*]?\d*)*(?=\s|$)/.exec(reader.text.slice(reader.at))?.[0];
  if (list === undefined) throw fail();
  reader.at += list.length;
  return list.split(',').map((item) => {
    const [, digits = '', letter = 'D'] = /^(\d+)([A-Da-d*]?)/.exec(item)!;
    const position = Math.min(Number(digits), maxPosition);
    if (position === 0) throw new ValueError('42601', `wrong position info in tsvector: "${reader.text}"`);
    return { position, weight: 'DCBA'.indexOf(letter === '*' ? 'A' : letter.toUpperCase() || 'D') };
  });
}

/** In order, each once, with the highest weight that it was given. */
function normalize(positions: readonly Position[]): Position[] {
  const weights = new Map<number, number>();
  for (const { position, weight } of positions) weights.set(position, Math.max(weight, weights.get(position) ?? 0));
  const sorted = [...weights].sort(([a], [b]) => a - b).slice(0, maxPositions);
  return sorted.map(([position, weight]) => ({ position, weight }));
}

function printPositions(positions: readonly Position[]): string {
  if (positions.length === 0) return '';
  return `:${positions.map(({ position, weight }) => String(position) + (weight === 0 ? '' : 'DCBA'[weight]!)).join(',')}`;
}

/** Int32 count of lexemes; of each: the word and a 0 byte, Int16 count of positions, these with the weight in the top bits. */
function sendTsvector(canonical: string): Uint8Array {
  const lexemes = parseTsvector(canonical);
  const parts = [int32Bytes(lexemes.size)];
  for (const [word, positions] of lexemes) {
    parts.push(utf8(`${word}\0`), int16Bytes(positions.length));
    for (const { position, weight } of positions) parts.push(int16Bytes((weight << 14) | position));
  }
  return concatBytes(parts);
}

export const tsvectorTypes = [builtinType(3614, 'tsvector', -1, 3643, { input: inputTsvector, send: sendTsvector })];
