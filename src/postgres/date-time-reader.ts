/**
 * Reads date/time literals field by field, each in the light of those before it, as the manual's appendix
 * "Date/Time Support" describes it.
 */
import { microsPerDay } from './calendar.js';
import { splitFields, type Field } from './date-time-fields.js';
import { DateTimeParts, seen, wholeDate, type DateTime } from './date-time-parts.js';
import { dateTimeWord, type ClockWord } from './date-time-words.js';
import { ValueError } from './pg-type.js';
import { zoneAbbreviation } from './time-zone-abbreviations.js';
import { timeZone } from './time-zone.js';

export class DateTimeReader extends DateTimeParts {
  private fields: Field[] = [];
  /** What the field before said that this one is. */
  private unit: 'julian' | 'time' | 'other' | undefined;

  read(): DateTime {
    const fields = splitFields(this.text, (word) => dateTimeWord(word, this.major) !== undefined);
    if (fields === undefined || fields.length === 0) throw this.badFormat();
    this.fields = fields;
    for (let i = 0; i < fields.length; i++) {
      const special = this.field(fields[i]!, i);
      if (special !== undefined) return this.special(special, i);
    }
    if (this.unit !== undefined && this.major >= 16) throw this.badFormat();
    return this.result();
  }

  /** Values without a date: nothing but noise words may stand beside them. */
  private special(kind: 'epoch' | 'infinity' | '-infinity', at: number): DateTime {
    if (this.isTime) throw this.badFormat();
    // Until 15 what is well-formed may stand beside them.
    this.mark(this.major >= 16 ? wholeDate | seen.time | seen.zone : seen.reserved);
    this.fields.slice(at + 1).forEach((field, i) => this.field(field, at + 1 + i));
    if (this.major < 16) this.validateDate();
    return { kind, days: 0, micros: 0, offset: 0 };
  }

  private field(field: Field, at: number): 'epoch' | 'infinity' | '-infinity' | undefined {
    switch (field.kind) {
      case 'time':
        if (this.unit !== undefined && this.unit !== 'time') throw this.badFormat();
        this.unit = undefined;
        this.clock(field.text);
        return undefined;
      case 'signed':
        this.mark(seen.zone);
        this.offset = this.numericOffset(field.text);
        return undefined;
      case 'date':
        this.dateOrZone(field.text, at);
        return undefined;
      case 'number':
        if (this.unit === undefined) this.number(field.text, at);
        else this.labelled(field.text);
        return undefined;
      case 'word':
      case 'special':
        return this.word(field.text, at);
    }
  }

  // Words

  private word(text: string, at: number): 'epoch' | 'infinity' | '-infinity' | undefined {
    const abbreviation = zoneAbbreviation(text);
    if (abbreviation !== undefined) {
      this.mark(seen.zone);
      if (typeof abbreviation === 'number') this.offset = abbreviation;
      else this.zone = timeZone(abbreviation);
      return undefined;
    }
    const word = dateTimeWord(text, this.major);
    switch (word?.kind) {
      case undefined:
        this.zone = timeZone(text);
        if (this.zone === undefined) throw this.badFormat();
        this.mark(seen.zone);
        return undefined;
      case 'ignored':
        return undefined;
      case 'month':
        this.monthName(word.month);
        return undefined;
      case 'weekday':
        if (this.isTime) throw this.badFormat();
        this.mark(seen.weekday);
        return undefined;
      case 'era':
        this.mark(seen.era);
        this.bc = word.bc;
        return undefined;
      case 'meridiem':
        this.mark(seen.meridiem);
        this.afternoon = word.afternoon;
        return undefined;
      case 'daylight':
        this.mark(seen.daylight);
        this.offset += 3600;
        return undefined;
      case 'unit':
        if (this.unit !== undefined && this.major >= 16) throw this.badFormat();
        this.unit = word.unit;
        return undefined;
      case 'isoTime':
        if (!this.isTime && !this.has(wholeDate)) throw this.badFormat();
        if (this.unit !== undefined && this.major >= 16) throw this.badFormat();
        if (this.major < 16 && !['number', 'time', 'date'].includes(this.fields[at + 1]?.kind ?? ''))
          throw this.badFormat();
        this.unit = 'time';
        return undefined;
      case 'reserved':
        return this.reserved(word.name);
    }
  }

  private reserved(
    name: 'epoch' | 'infinity' | '-infinity' | 'allballs' | ClockWord,
  ): 'epoch' | 'infinity' | '-infinity' | undefined {
    if (name === 'epoch' || name === 'infinity' || name === '-infinity') return name;
    if (name === 'allballs') {
      this.mark(seen.time | seen.zone);
      return undefined;
    }
    throw new ValueError('0A000', `"${name}" depends on the clock: write the ${this.isTime ? 'time' : 'date'} itself`);
  }

  /** A numeric month before it was the day. */
  private monthName(month: number): void {
    if (this.isTime) throw this.badFormat();
    if (this.has(seen.month) && !this.monthIsWord && !this.has(seen.day) && this.month >= 1 && this.month <= 31) {
      this.day = this.month;
      this.mark(seen.day);
    } else {
      this.mark(seen.month);
    }
    this.monthIsWord = true;
    this.month = month;
  }

  // Dates

  private dateOrZone(text: string, at: number): void {
    if (this.isTime) {
      const mayBeDate = at === 0 && this.fields.length >= 2;
      if (mayBeDate && (this.fields.at(-1)!.kind === 'date' || this.fields[1]!.kind === 'time')) this.date(text);
      else if (this.unit !== undefined && this.major >= 16) throw this.badFormat();
      else if (/^\d/.test(text)) this.timeWithZone(text);
      else this.namedZone(text);
      return;
    }
    if (this.unit === 'julian') {
      const [, day = '', zone = ''] = /^(\d+)(.*)$/.exec(text) ?? [];
      this.julianDay(day);
      this.mark(seen.time | seen.zone);
      this.offset = this.numericOffset(zone);
      this.unit = undefined;
    } else if (this.unit !== undefined || this.has(seen.month | seen.day)) {
      if (/^\d/.test(text) || this.unit !== undefined) this.timeWithZone(text);
      else this.namedZone(text);
    } else {
      this.date(text);
    }
  }

  private namedZone(text: string): void {
    this.zone = timeZone(text);
    if (this.zone === undefined) throw new ValueError('22023', `time zone "${text}" not recognized`);
    this.mark(seen.zone);
  }

  /** `040506-08`: a time without colons and its zone. */
  private timeWithZone(text: string): void {
    if (this.unit !== undefined && this.unit !== 'time') throw this.badFormat();
    this.unit = undefined;
    const split = text.indexOf('-');
    if (this.has(seen.time) || split < 0) throw this.badFormat();
    this.offset = this.numericOffset(text.slice(split));
    this.digits(text.slice(0, split), this.isTime);
    this.mark(seen.zone);
  }

  private date(text: string): void {
    const parts = text.match(/\d+|[a-z]+/g) ?? [];
    // One delimiter may stand at the end.
    if (/[^a-z\d]{2}$/.test(text)) throw this.badFormat();
    const numbers: string[] = [];
    for (const part of parts) {
      const word = /^[a-z]/.test(part) ? dateTimeWord(part, this.major) : undefined;
      if (word?.kind === 'month') {
        this.mark(seen.month);
        this.month = word.month;
        this.monthIsWord = true;
      } else if (/^\d/.test(part)) numbers.push(part);
      else if (word?.kind !== 'ignored') throw this.badFormat();
    }
    for (const number of numbers) this.dateNumber(number);
    const others = this.mask & ~(seen.dayOfYear | seen.zone | wholeDate);
    if (!this.has(wholeDate) || (others !== 0 && !this.isTime)) throw this.badFormat();
    this.monthIsWord = false;
  }

  // Numbers

  private number(text: string, at: number): void {
    const point = text.indexOf('.');
    if (this.isTime) this.numberOfTime(text, point, at);
    else if (point >= 0 && (this.mask & wholeDate) === 0) this.date(text);
    else if (point > 2) this.digits(text);
    else if (point < 0 && text.length >= 6 && ((this.mask & wholeDate) === 0 || !this.has(seen.time)))
      this.digits(text);
    else if (point >= 0) this.numberWithPoint(text, point);
    else this.dateNumber(text);
  }

  private numberOfTime(text: string, point: number, at: number): void {
    if (point >= 0) {
      if (at === 0 && this.fields.length >= 2 && this.fields.at(-1)!.kind === 'date') this.date(text);
      else if (point > 2) this.digits(text, true);
      else throw this.badFormat();
    } else this.digits(text, true);
  }

  private numberWithPoint(text: string, point: number): void {
    this.int(text.slice(0, point));
    this.micros = this.fraction(text.slice(point));
    this.dateNumber(text.slice(0, point));
  }

  /** A number after `J` or `T`. */
  private labelled(text: string): void {
    const [whole = '', fraction] = text.split('.');
    this.int(whole);
    if (this.unit === 'julian') {
      this.julianDay(whole);
      if (fraction !== undefined) {
        this.mark(seen.time);
        this.setMicros(Math.trunc(Number(`0.${fraction}`) * microsPerDay));
      }
    } else if (this.unit === 'time') {
      this.digits(text, true);
    } else {
      // Until 15 the server takes `y2024 m2 d29 h4` too, which nothing writes.
      throw this.badFormat();
    }
    this.unit = undefined;
  }
}
