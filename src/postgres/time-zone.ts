/**
 * Time zones as SET TimeZone takes them: IANA names (by the platform's own data, Intl), hours from UTC, and POSIX forms
 * with a fixed offset. Instants are seconds since 1970, offsets are seconds east of Greenwich.
 */
import { printOffset } from './calendar.js';
import { zoneAbbreviations } from './time-zone-names.js';

export interface TimeZone {
  offsetAt(instant: number): number;
  /** `CEST`, `-03`: what the DateStyles other than ISO print. Names that a zone had in earlier times are not known. */
  abbreviationAt(instant: number): string;
}

const zones = new Map<string, TimeZone | undefined>();

/** Undefined for a name that is no time zone. */
export function timeZone(name: string): TimeZone | undefined {
  let zone = zones.get(name);
  if (zone === undefined && !zones.has(name)) {
    zone = findZone(name);
    zones.set(name, zone);
  }
  return zone;
}

const maxPosixHours = 168;
/** POSIX counts west of Greenwich. Daylight-saving rules in this form are not supported. */
const posixForm = /^(?:<([+-]?\w+)>|([^\d,+<-]+))([+-]?\d{1,3})(?::([0-5]?\d))?(?::([0-5]?\d))?$/i;

function findZone(name: string): TimeZone | undefined {
  if (/^(?:utc|gmt|z(?:ulu)?|u(?:ct)?|universal|etc\/(?:utc|uct|universal|zulu))$/i.test(name)) {
    return fixedZone(0, /gmt/i.test(name) ? 'GMT' : 'UTC');
  }
  if (/^[+-]?\d+(?:\.\d+)?$/.test(name)) return numericZone(Number(name) * 3600);
  const posix = posixForm.exec(name);
  if (posix !== null && !isIana(name)) {
    const [, bracketed, plain, hours = '', minutes, seconds] = posix;
    const west = Math.abs(Number(hours)) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
    if (west >= maxPosixHours * 3600) return undefined;
    return fixedZone(hours.startsWith('-') ? west : -west, bracketed ?? plain!);
  }
  const interval = /^([+-])(\d{1,2}):([0-5]\d)(?::([0-5]\d))?$/.exec(name);
  if (interval !== null) {
    const east = Number(interval[2]) * 3600 + Number(interval[3]) * 60 + Number(interval[4] ?? 0);
    return numericZone(interval[1] === '-' ? -east : east);
  }
  return isIana(name) ? new IanaZone(name) : undefined;
}

function numericZone(offset: number): TimeZone {
  return fixedZone(offset, printOffset(offset));
}

function fixedZone(offset: number, abbreviation: string): TimeZone {
  return { offsetAt: () => offset, abbreviationAt: () => abbreviation };
}

function isIana(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Offsets from `start` on, until the next span's. */
interface Span {
  readonly start: number;
  readonly offset: number;
}

const averageYear = 31_556_952;
/** The Gregorian calendar repeats after 400 years. */
const cycle = 12_622_780_800;
/** 1800-01-01 and 2500-01-01: before, no zone had changed; after, rules repeat. Both lie within what Date can hold. */
const earliest = -5_364_662_400;
const latest = 16_725_225_600;
/** In 2024. */
const recentJanuary = 1_704_067_200;
const recentJuly = 1_719_792_000;
/** Two changes of a zone's offset are further apart than this. */
const probeStep = 5 * 86_400;

class IanaZone implements TimeZone {
  private readonly format: Intl.DateTimeFormat;
  private readonly names: readonly [string, string] | undefined;
  /** Spans by year. Asking Intl takes microseconds: it is done once for a year. */
  private readonly years = new Map<number, readonly Span[]>();

  constructor(name: string) {
    this.format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      calendar: 'gregory',
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    this.names = zoneAbbreviations(this.format.resolvedOptions().timeZone);
  }

  offsetAt(instant: number): number {
    const usual = this.usualInstant(instant);
    const spans = this.spansOf(usual);
    let i = spans.length - 1;
    while (i > 0 && spans[i]!.start > usual) i--;
    return spans[i]!.offset;
  }

  abbreviationAt(instant: number): string {
    const offset = this.offsetAt(instant);
    // Local mean time, before zones were introduced, mostly has odd seconds.
    if (offset % 60 !== 0 || (instant < earliest && offset !== this.standard)) return 'LMT';
    if (this.names === undefined) return printOffset(offset).replace(':', '');
    return this.names[offset > this.standard ? 1 : 0];
  }

  /** The lower of the offsets in the two halves of a year of our time. */
  private get standard(): number {
    return Math.min(this.offsetAt(recentJanuary), this.offsetAt(recentJuly));
  }

  private usualInstant(instant: number): number {
    if (instant < earliest) return earliest;
    return instant < latest ? instant : instant - Math.ceil((instant - latest) / cycle) * cycle;
  }

  private spansOf(instant: number): readonly Span[] {
    const year = Math.floor(instant / averageYear);
    let spans = this.years.get(year);
    if (spans === undefined) {
      spans = this.findSpans(year * averageYear, (year + 1) * averageYear);
      this.years.set(year, spans);
    }
    return spans;
  }

  private findSpans(start: number, end: number): Span[] {
    const spans = [{ start, offset: this.ask(start) }];
    for (let before = start; before < end; before += probeStep) {
      const after = Math.min(before + probeStep, end);
      if (this.ask(after) !== spans.at(-1)!.offset) spans.push(this.findChange(before, after));
    }
    return spans;
  }

  /** The first second with the offset that `after` has. */
  private findChange(before: number, after: number): Span {
    const offset = this.ask(after);
    let low = before;
    let high = after;
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.ask(middle) === offset) high = middle;
      else low = middle;
    }
    return { start: high, offset };
  }

  private ask(instant: number): number {
    const field: Record<string, string> = {};
    for (const { type, value } of this.format.formatToParts(instant * 1000)) field[type] = value;
    const year = field['era']!.startsWith('B') ? 1 - Number(field['year']) : Number(field['year']);
    const local = Date.UTC(
      year,
      Number(field['month']) - 1,
      Number(field['day']),
      Number(field['hour']),
      Number(field['minute']),
      Number(field['second']),
    );
    return local / 1000 - instant;
  }
}

/**
 * The offset at a local time, given as if it were UTC. Of a time that is skipped when clocks go forward, the offset
 * before; of one that occurs twice, the offset after.
 */
export function offsetOfLocal(zone: TimeZone, local: number): number {
  const before = zone.offsetAt(local - 86_400);
  const after = zone.offsetAt(local + 86_400);
  if (before === after) return before;
  if (zone.offsetAt(local - after) === after) return after;
  return before;
}
