/**
 * What has been read of a date/time literal so far: values, which of them are known, and what they amount to.
 * Ambiguous dates are read month first (DateStyle MDY).
 */
import { dateOfDay, dayOfDate, daysInMonth, microsPerDay, microsPerSecond, roundHalfEven } from './calendar.js';
import { ValueError } from './pg-type.js';
import { offsetOfLocal, type TimeZone } from './time-zone.js';

export type DateTimeSqlName = 'date' | 'time' | 'time with time zone' | 'timestamp' | 'timestamp with time zone';

export interface DateTime {
  readonly kind: 'time' | 'epoch' | 'infinity' | '-infinity';
  /** Days since 2000-01-01; 0 where a time has no date. */
  readonly days: number;
  /** Microseconds of the day, up to 24:00:00; seconds may have been 60. */
  readonly micros: number;
  /** Seconds east of Greenwich. */
  readonly offset: number;
}

/** What has been read, one bit each: none may come twice. */
export const seen = {
  year: 1,
  month: 2,
  day: 4,
  time: 8,
  zone: 16,
  era: 32,
  meridiem: 64,
  weekday: 128,
  daylight: 256,
  dayOfYear: 512,
  reserved: 1024,
};
export const wholeDate = seen.year | seen.month | seen.day;

/** 1800, 1900, and both halves of 2024. */
const sampleInstants = [-5_364_662_400, -2_208_988_800, 1_704_067_200, 1_719_792_000];

/** From 2000-01-01 to the epoch of Julian days. */
const julianOfDayZero = 2_451_545;
const maxInt = 2_147_483_647;

export abstract class DateTimeParts {
  protected mask = 0;
  private year = 0;
  protected month = 0;
  protected day = 0;
  private dayOfYear = 0;
  private hour = 0;
  private minute = 0;
  private second = 0;
  protected micros = 0;
  protected offset = 0;
  protected zone: TimeZone | undefined;
  protected monthIsWord = false;
  private yearIsShort = false;
  private isJulian = false;
  protected bc = false;
  protected afternoon: boolean | undefined;
  constructor(
    protected readonly text: string,
    protected readonly sqlName: DateTimeSqlName,
    protected readonly major: number,
  ) {}

  protected get isTime(): boolean {
    return this.sqlName === 'time' || this.sqlName === 'time with time zone';
  }

  protected mark(bits: number): void {
    if ((this.mask & bits) !== 0) throw this.badFormat();
    this.mask |= bits;
  }

  protected has(bits: number): boolean {
    return (this.mask & bits) === bits;
  }

  /** Which part of a date a number is follows from what is known and from its number of digits. */
  protected dateNumber(text: string): void {
    const value = this.int(text);
    const known = this.mask & wholeDate;
    if (text.length === 3 && known === seen.year && value >= 1 && value <= 366) {
      this.mark(seen.dayOfYear | seen.month | seen.day);
      this.dayOfYear = value;
    } else if (known === 0) {
      if (text.length >= 3) this.setYear(text, value);
      else this.setMonth(value);
    } else if (known === seen.year || known === seen.day) {
      this.setMonth(value);
    } else if (known === seen.month) {
      if (this.monthIsWord && text.length >= 3) this.setYear(text, value);
      else this.setDay(value);
    } else if (known === (seen.year | seen.month)) {
      if (this.monthIsWord && text.length >= 3 && this.yearIsShort) {
        this.setDay(this.year);
        this.year = value;
        this.yearIsShort = false;
      } else this.setDay(value);
    } else if (known === (seen.month | seen.day)) {
      this.setYear(text, value);
    } else if (known === wholeDate) {
      this.digits(text);
    } else {
      throw this.badFormat();
    }
  }

  private setYear(text: string, value: number): void {
    this.mark(seen.year);
    this.year = value;
    this.yearIsShort = text.length <= 2;
  }

  protected setMonth(value: number): void {
    this.mark(seen.month);
    this.month = value;
  }

  protected setDay(value: number): void {
    this.mark(seen.day);
    this.day = value;
  }

  protected julianDay(digits: string): void {
    this.mark(wholeDate);
    ({ year: this.year, month: this.month, day: this.day } = dateOfDay(this.int(digits) - julianOfDayZero));
    this.isJulian = true;
  }

  /** Digits run together: a date (yyyymmdd, yymmdd) while there is none, else a time (hhmmss, hhmm). */
  protected digits(text: string, isTime = false): void {
    const point = text.indexOf('.');
    let whole = text;
    if (point >= 0) {
      this.micros = this.fraction(text.slice(point));
      whole = text.slice(0, point);
    } else if (!isTime && !this.has(wholeDate) && whole.length >= 6) {
      this.mark(wholeDate);
      this.day = Number(whole.slice(-2));
      this.month = Number(whole.slice(-4, -2));
      this.year = Number(whole.slice(0, -4));
      this.yearIsShort = whole.length === 6;
      return;
    }
    if (this.has(seen.time) || (whole.length !== 6 && whole.length !== 4)) throw this.badFormat();
    this.mark(seen.time);
    this.hour = Number(whole.slice(0, 2));
    this.minute = Number(whole.slice(2, 4));
    this.second = Number(whole.slice(4));
  }

  protected setMicros(micros: number): void {
    this.micros = micros % microsPerSecond;
    const seconds = Math.floor(micros / microsPerSecond);
    this.second = seconds % 60;
    this.minute = Math.floor(seconds / 60) % 60;
    this.hour = Math.floor(seconds / 3600);
  }

  /** `13:45`, `13:45:06.789`, `45:06.789`. */
  protected clock(text: string): void {
    this.mark(seen.time);
    const match = /^(\d+):(\d*)(?::(\d*))?(\.\d*)?$/.exec(text);
    if (match === null) throw this.badFormat();
    const [first, second] = [this.int(match[1]!), this.int(match[2]!)];
    this.micros = match[4] === undefined ? 0 : this.fraction(match[4]);
    if (match[3] === undefined && match[4] !== undefined) [this.hour, this.minute, this.second] = [0, first, second];
    else [this.hour, this.minute, this.second] = [first, second, this.int(match[3] ?? '0')];
    if (this.minute > 59 || this.second > 60) throw this.fieldOverflow();
    if (!this.isTime && this.timeOverflows()) throw this.fieldOverflow();
  }

  private timeOverflows(): boolean {
    if (this.hour > 24 || this.minute > 59 || this.second > 60) return true;
    return this.microsOfDay() > microsPerDay;
  }

  private microsOfDay(): number {
    return ((this.hour * 60 + this.minute) * 60 + this.second) * microsPerSecond + this.micros;
  }

  protected fraction(text: string): number {
    if (text !== '.') return roundHalfEven(Number(text) * microsPerSecond);
    if (this.major < 15) throw this.badFormat();
    return 0;
  }

  protected int(digits: string): number {
    const value = Number(digits);
    if (value > maxInt) throw this.fieldOverflow();
    return value;
  }

  /** `+02`, `-0330`, `+05:30`, `+01:02:03` → seconds east. */
  protected numericOffset(text: string): number {
    const match = /^([+-])(\d*)(?::(\d*)(?::(\d*))?)?/.exec(text);
    if (match === null) throw this.badFormat();
    let hours = Number(match[2]);
    let minutes = Number(match[3] ?? 0);
    const seconds = Number(match[4] ?? 0);
    if (match[3] === undefined && match[0].length === text.length && text.length > 3) {
      minutes = hours % 100;
      hours = Math.floor(hours / 100);
    }
    if (hours > 15 || minutes > 59 || seconds > 59) {
      throw new ValueError('22009', `time zone displacement out of range: "${this.text}"`);
    }
    if (match[0].length !== text.length) throw this.badFormat();
    const offset = (hours * 60 + minutes) * 60 + seconds;
    return match[1] === '-' ? -offset : offset;
  }

  // What it all means

  protected result(): DateTime {
    this.validateDate();
    if (this.afternoon !== undefined) {
      if (this.hour > 12) throw this.fieldOverflow();
      this.hour = (this.hour % 12) + (this.afternoon ? 12 : 0);
    }
    if (this.isTime) {
      if (this.timeOverflows()) throw this.fieldOverflow();
      if (!this.has(seen.time)) throw this.badFormat();
    } else if (!this.has(wholeDate)) {
      throw this.badFormat();
    }
    const days = this.has(wholeDate) ? dayOfDate(this.year, this.month, this.day) : 0;
    const micros = this.microsOfDay();
    return { kind: 'time', days, micros, offset: this.finalOffset(days, micros) };
  }

  private finalOffset(days: number, micros: number): number {
    if (this.has(seen.daylight) && (this.zone !== undefined || !this.has(seen.zone))) throw this.badFormat();
    if (this.zone === undefined) return this.offset;
    const local = days * 86_400 + 946_684_800 + Math.floor(micros / microsPerSecond);
    // A time without a date can only have a zone that never changed its offset.
    if (this.isTime && !this.has(wholeDate)) {
      const offsets = sampleInstants.map((instant) => this.zone!.offsetAt(instant));
      if (offsets.some((offset) => offset !== offsets[0])) throw this.badFormat();
      return offsets[0]!;
    }
    return offsetOfLocal(this.zone, local);
  }

  protected validateDate(): void {
    if (this.has(seen.year) && !this.isJulian) {
      if (this.bc) {
        if (this.year <= 0) throw this.fieldOverflow();
        this.year = 1 - this.year;
      } else if (this.yearIsShort) {
        if (this.year < 70) this.year += 2000;
        else if (this.year < 100) this.year += 1900;
      } else if (this.year <= 0) {
        throw this.fieldOverflow();
      }
    }
    if (this.has(seen.dayOfYear)) {
      ({
        year: this.year,
        month: this.month,
        day: this.day,
      } = dateOfDay(dayOfDate(this.year, 1, 1) + this.dayOfYear - 1));
    }
    if (this.has(seen.month) && (this.month < 1 || this.month > 12)) throw this.fieldOverflow();
    if (this.has(seen.day) && (this.day < 1 || this.day > 31)) throw this.fieldOverflow();
    if (this.has(wholeDate) && this.day > daysInMonth(this.year, this.month)) throw this.fieldOverflow();
  }

  protected badFormat(): ValueError {
    return new ValueError('22007', `invalid input syntax for type ${this.sqlName}: "${this.text}"`);
  }

  private fieldOverflow(): ValueError {
    return new ValueError('22008', `date/time field value out of range: "${this.text}"`);
  }
}
