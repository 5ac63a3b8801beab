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
        this.addFractionOfYears(fraction * yearsPer[unit]);
        return;
    }
  }

  addTime(hours: bigint, minutes: bigint, seconds: bigint, micros: bigint, negative: boolean): void {
    if (this.major < 15 && hours > BigInt(maxInt)) throw this.fieldOverflow();
    const total = ((hours * 60n + minutes) * 60n + seconds) * 1_000_000n + micros;
    this.addMicros(negative ? -total : total);
  }

  /** @param negated `ago` */
  result(negated = false): Interval {
    const sign = negated ? -1 : 1;
    const months = this.years * 12 + this.months;
    if (Math.abs(months) > maxInt) throw this.outOfRange();
    return { months: sign * months + 0, days: sign * this.days + 0, micros: negated ? -this.micros : this.micros };
  }

  private addMicros(micros: bigint): void {
    this.micros += micros;
    if (this.micros > maxBigint || this.micros < -maxBigint - 1n) throw this.fieldOverflow();
  }

  private addFraction(fraction: number, scale: number): void {
    if (fraction === 0) return;
    const scaled = fraction * scale;
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

  private addFractionOfYears(years: number): void {
    const months = this.major >= 15 ? roundHalfEven(years * 12) : Math.trunc(years * 12);
    this.months = this.int(this.months + months);
  }

  private int(value: number): number {
    if (value > maxInt || value < -maxInt - 1) throw this.fieldOverflow();
    return value;
  }

  fieldOverflow(): ValueError {
    return new ValueError('22015', `interval field value out of range: "${this.text}"`);
  }

  private outOfRange(): ValueError {
    return new ValueError('22008', 'interval out of range');
  }
}
