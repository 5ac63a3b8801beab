/** Adds up the parts of an interval literal, with the server's rules for fractions and its limits. */
import { roundHalfEven } from './calendar.js';
import type { Interval } from './interval-text.js';
import { ValueError } from './pg-type.js';

export type IntervalUnit =
  | 'microsecond'
  | 'millisecond'
  | 'second'
  | 'minute'
  | 'hour'
  | 'day'
  | 'week'
  | 'month'
  | 'year'
  | 'decade'
  | 'century'
  | 'millennium';

const microsPer = { microsecond: 1, millisecond: 1_000, second: 1_000_000, minute: 60_000_000, hour: 3_600_000_000 };
const yearsPer = { year: 1, decade: 10, century: 100, millennium: 1000 };
const microsPerDay = 86_400_000_000;
const daysPerMonth = 30;

const maxInt = 2_147_483_647;
const maxBigint = 2n ** 63n - 1n;

export class IntervalSum {
  private years = 0;
  private months = 0;
  private days = 0;
  private micros = 0n;

  constructor(
    private readonly text: string,
    private readonly major: number,
  ) {}

  /** `whole` + `fraction` units; the fraction has the same sign and is below 1. */
  add(unit: IntervalUnit, whole: bigint, fraction: number): void {
    // Until 14 every number was an int.
    if (this.major < 15 && (whole > BigInt(maxInt) || whole < -BigInt(maxInt) - 1n)) throw this.fieldOverflow();
    switch (unit) {
      case 'microsecond':
      case 'millisecond':
        if (this.major < 15) return this.addMicros(BigInt(roundHalfEven((Number(whole) + fraction) * microsPer[unit])));
        this.addMicros(whole * BigInt(microsPer[unit]));
        return this.addFraction(fraction, microsPer[unit]);
      case 'second':
      case 'minute':
      case 'hour':
        this.addMicros(whole * BigInt(microsPer[unit]));
        this.addFraction(fraction, microsPer[unit]);
        return;
      case 'day':
        this.days = this.int(this.days + Number(whole));
        this.addFraction(fraction, microsPerDay);
        return;
      case 'week':
        this.days = this.int(this.days + Number(whole) * 7);
        this.addFractionOfDays(fraction, 7);
        return;
      case 'month':
        this.months = this.int(this.months + Number(whole));
        this.addFractionOfDays(fraction, daysPerMonth);
        return;
      case 'year':
      case 'decade':
      case 'century':
      case 'millennium':
        this.years = this.int(this.years + Number(whole) * yearsPer[unit]);
        this.addFractionOfYears(fraction, yearsPer[unit]);
        return;
    }
  }

  /** Hours, minutes, seconds, microseconds; false if they are out of range. */
  addTime([hours, minutes, seconds, micros]: readonly [bigint, bigint, bigint, bigint], negative: boolean): boolean {
    if (minutes > 59n || seconds > 60n || (this.major < 15 && hours > BigInt(maxInt))) return false;
    const total = ((hours * 60n + minutes) * 60n + seconds) * 1_000_000n + micros;
    if (total > maxBigint) return false;
    this.addMicros(negative ? -total : total);
    return true;
  }

  /** @param negated `ago` */
  result(negated = false): Interval {
    const sign = negated ? -1 : 1;
    const months = this.years * 12 + this.months;
    if (months > maxInt || months < -maxInt - 1) throw new ValueError('22008', 'interval out of range');
    return { months: sign * months + 0, days: sign * this.days + 0, micros: negated ? -this.micros : this.micros };
  }

  private addMicros(micros: bigint): void {
    this.micros += micros;
    if (this.micros > maxBigint || this.micros < -maxBigint - 1n) throw this.fieldOverflow();
  }

  private addFraction(fraction: number, scale: number): void {
    if (fraction === 0) return;
    const scaled = fraction * scale;
    if (this.major < 15) return this.addMicros(BigInt(roundHalfEven(scaled)));
    const whole = Math.trunc(scaled);
    const rest = scaled - whole;
    // Halves stay below.
    this.addMicros(BigInt(whole + (rest > 0.5 ? 1 : rest < -0.5 ? -1 : 0)));
  }

  private addFractionOfDays(fraction: number, scale: number): void {
    const scaled = fraction * scale;
    const whole = Math.trunc(scaled);
    this.days = this.int(this.days + whole);
    this.addFraction(scaled - whole, microsPerDay);
  }

  private addFractionOfYears(fraction: number, years: number): void {
    const months = this.major >= 15 ? roundHalfEven(fraction * years * 12) : Math.trunc(fraction * 12 * years);
    this.months = this.int(this.months + months);
  }

  private int(value: number): number {
    // Until 14 it wraps around.
    if (this.major < 15) return value | 0;
    if (value > maxInt || value < -maxInt - 1) throw this.fieldOverflow();
    return value;
  }

  fieldOverflow(): ValueError {
    return new ValueError('22015', `interval field value out of range: "${this.text}"`);
  }
}
