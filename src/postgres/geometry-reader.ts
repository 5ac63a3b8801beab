/** Reads what geometric literals are made of: coordinates, points, and points in parentheses or brackets. */
import { readFloat8 } from './float.js';
import { invalidSyntax } from './input-error.js';
import { ValueError } from './pg-type.js';

export type Point = readonly [x: number, y: number];

export class GeometryReader {
  private at = 0;

  constructor(
    private readonly text: string,
    private readonly typeName: string,
  ) {}

  /** The type's points are the pairs that the commas make. */
  countPairs(): number {
    const commas = this.text.split(',').length - 1;
    if (commas % 2 === 0) throw this.invalid();
    return (commas + 1) / 2;
  }

  skipSpace(): void {
    while (/[ \t\n\v\f\r]/.test(this.text[this.at] ?? '')) this.at++;
  }

  take(character: string): boolean {
    if (this.text[this.at] !== character) return false;
    this.at++;
    return true;
  }

  expect(character: string): void {
    if (!this.take(character)) throw this.invalid();
  }

  /** An opening parenthesis that has another behind it, or (`alone`) that is the last one. */
  takeOuter(alone: boolean): boolean {
    if (this.text[this.at] !== '(') return false;
    const isLast = alone && !this.text.includes('(', this.at + 1);
    const hasInner = /^\(\s*\(/.test(this.text.slice(this.at));
    if (!isLast && !hasInner) return false;
    this.at++;
    this.skipSpace();
    return true;
  }

  number(): number {
    const read = readFloat8(this.text, this.at);
    if (read === undefined) throw this.invalid();
    if (!read.inRange) throw new ValueError('22003', `"${read.text}" is out of range for type double precision`);
    this.at = read.end;
    this.skipSpace();
    return read.value;
  }

  point(): Point {
    this.skipSpace();
    const enclosed = this.take('(');
    const x = this.number();
    this.expect(',');
    const y = this.number();
    if (enclosed) {
      this.expect(')');
      this.skipSpace();
    }
    return [x, y];
  }

  /** `count` points, in brackets (open) where these are allowed, in parentheses, or neither. */
  points(count: number, allowOpen: boolean): { points: Point[]; open: boolean } {
    this.skipSpace();
    const open = this.text[this.at] === '[';
    if (open && !allowOpen) throw this.invalid();
    const enclosed = open ? this.take('[') : this.takeOuter(true);
    const points: Point[] = [];
    for (let i = 0; i < count; i++) {
      points.push(this.point());
      this.take(',');
    }
    if (enclosed) {
      if (!this.take(')') && !(open && this.take(']'))) throw this.invalid();
      this.skipSpace();
    }
    return { points, open };
  }

  end(): void {
    if (this.at !== this.text.length) throw this.invalid();
  }

  invalid(): ValueError {
    return invalidSyntax(this.typeName, this.text);
  }
}
