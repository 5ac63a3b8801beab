/** point, line, lseg, box, path, polygon, circle: all made of float8 coordinates. */
import { concatBytes, float8Bytes, int32Bytes } from './big-endian.js';
import { outputFloat8, printFloat8 } from './float.js';
import { GeometryReader, type Point } from './geometry-reader.js';
import { builtinType, ValueError, type OutputSettings, type PgType } from './pg-type.js';

function printPoint([x, y]: Point): string {
  return `(${printFloat8(x)},${printFloat8(y)})`;
}

function inputPoint(text: string): string {
  const reader = new GeometryReader(text, 'point');
  const point = reader.point();
  reader.end();
  return printPoint(point);
}

function inputLseg(text: string): string {
  const reader = new GeometryReader(text, 'lseg');
  const { points } = reader.points(2, true);
  reader.end();
  return `[${points.map(printPoint).join(',')}]`;
}

/** The upper right corner comes first. */
function inputBox(text: string, _typeModifier: number, major: number): string {
  const reader = new GeometryReader(text, 'box');
  const [[x1, y1], [x2, y2]] = reader.points(2, false).points as [Point, Point];
  reader.end();
  const [xs, ys] = [descending(x1, x2, major), descending(y1, y2, major)];
  return `${printPoint([xs[0], ys[0]])},${printPoint([xs[1], ys[1]])}`;
}

/** NaN is above everything from 12; before, it stays where it is. */
function descending(a: number, b: number, major: number): Point {
  const swap = a < b || (major >= 12 && Number.isNaN(b) && !Number.isNaN(a));
  return swap ? [b, a] : [a, b];
}

function inputPath(text: string): string {
  const reader = new GeometryReader(text, 'path');
  const count = reader.countPairs();
  reader.skipSpace();
  const { points, open } = reader.points(count, true);
  reader.end();
  const list = points.map(printPoint).join(',');
  return open ? `[${list}]` : `(${list})`;
}

function inputPolygon(text: string): string {
  const reader = new GeometryReader(text, 'polygon');
  const { points } = reader.points(reader.countPairs(), false);
  reader.end();
  return `(${points.map(printPoint).join(',')})`;
}

function inputCircle(text: string): string {
  const reader = new GeometryReader(text, 'circle');
  reader.skipSpace();
  const angled = reader.take('<');
  const enclosed = angled || reader.takeOuter(false);
  const center = reader.point();
  reader.take(',');
  const radius = reader.number();
  if (radius < 0) throw reader.invalid();
  if (enclosed && !reader.take(')') && !reader.take('>')) throw reader.invalid();
  reader.skipSpace();
  reader.end();
  return `<${printPoint(center)},${printFloat8(radius)}>`;
}

/** Values closer to each other are taken as equal. */
const epsilon = 1e-6;

/** The coefficients of Ax + By + C = 0, or two points. */
function inputLine(text: string): string {
  const reader = new GeometryReader(text, 'line');
  reader.skipSpace();
  if (!reader.take('{')) return printLine(lineThrough(reader));
  const a = reader.number();
  reader.expect(',');
  const b = reader.number();
  reader.expect(',');
  const c = reader.number();
  reader.expect('}');
  reader.skipSpace();
  reader.end();
  if (Math.abs(a) <= epsilon && Math.abs(b) <= epsilon) {
    throw new ValueError('22P02', 'invalid line specification: A and B cannot both be zero');
  }
  return printLine([a, b, c]);
}

type Line = readonly [a: number, b: number, c: number];

function printLine(line: Line): string {
  return `{${line.map(printFloat8).join(',')}}`;
}

function lineThrough(reader: GeometryReader): Line {
  const [[x1, y1], [x2, y2]] = reader.points(2, true).points as [Point, Point];
  reader.end();
  const [vertical, horizontal] = [Math.abs(x1 - x2) <= epsilon, Math.abs(y1 - y2) <= epsilon];
  if (vertical && horizontal) throw new ValueError('22P02', 'invalid line specification: must be two distinct points');
  if (vertical) return [-1, 0, x1];
  if (horizontal) return [0, -1, y1];
  const slope = (y1 - y2) / (x1 - x2);
  // Not -0.
  return [slope, -1, y1 - slope * x1 || 0];
}

const float = /-?(?:Infinity|NaN|[0-9.]+(?:e[+-][0-9]+)?)/g;

function coordinates(canonical: string): number[] {
  return canonical.match(float)!.map(Number);
}

function outputGeometric(canonical: string, settings: OutputSettings): string {
  return canonical.replace(float, (number) => outputFloat8(number, settings));
}

/** The coordinates one after the other, as printed. */
function sendCoordinates(canonical: string): Uint8Array {
  return float8Bytes(...coordinates(canonical));
}

/** A byte: 1 for closed; then as a polygon. */
function sendPath(canonical: string): Uint8Array {
  return concatBytes([Uint8Array.of(canonical.startsWith('(') ? 1 : 0), sendPolygon(canonical)]);
}

/** Int32 count of points, and these. */
function sendPolygon(canonical: string): Uint8Array {
  const numbers = coordinates(canonical);
  return concatBytes([int32Bytes(numbers.length / 2), ...numbers.map((number) => float8Bytes(number))]);
}

function functions(input: PgType['input'], send = sendCoordinates) {
  return { input, output: outputGeometric, send };
}

export const geometricTypes = [
  builtinType(600, 'point', 16, 1017, functions(inputPoint)),
  builtinType(601, 'lseg', 32, 1018, functions(inputLseg)),
  builtinType(602, 'path', -1, 1019, functions(inputPath, sendPath)),
  builtinType(603, 'box', 32, 1020, { ...functions(inputBox), delimiter: ';' }),
  builtinType(604, 'polygon', -1, 1027, functions(inputPolygon, sendPolygon)),
  builtinType(628, 'line', 24, 629, functions(inputLine)),
  builtinType(718, 'circle', 24, 719, functions(inputCircle)),
];
