/** The words of date/time literals, other than zones and the units of intervals. */

type DateTimeWord =
  | { readonly kind: 'month'; readonly month: number }
  | { readonly kind: 'reserved'; readonly name: 'epoch' | 'infinity' | '-infinity' | 'allballs' | ClockWord }
  | { readonly kind: 'meridiem'; readonly afternoon: boolean }
  | { readonly kind: 'era'; readonly bc: boolean }
  /** What the next number is. */
  | { readonly kind: 'unit'; readonly unit: 'julian' | 'time' | 'other' }
  | { readonly kind: 'isoTime' }
  | { readonly kind: 'weekday' }
  | { readonly kind: 'daylight' }
  | { readonly kind: 'ignored' };

/** Depend on the server's clock. */
export type ClockWord = 'now' | 'today' | 'tomorrow' | 'yesterday';

const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
const weekdays =
  'sun sunday mon monday tue tues tuesday wed weds wednesday thu thur thurs thursday fri friday sat saturday';

const words = new Map<string, DateTimeWord>([
  ...months.flatMap((name, i) => {
    const word = { kind: 'month', month: i + 1 } as const;
    return [[name, word] as const, [name.slice(0, 3), word] as const];
  }),
  ['sept', { kind: 'month', month: 9 }],
  ...weekdays.split(' ').map((name) => [name, { kind: 'weekday' }] as const),
  ...(['epoch', 'infinity', '-infinity', 'allballs', 'now', 'today', 'tomorrow', 'yesterday'] as const).map(
    (name) => [name, { kind: 'reserved', name }] as const,
  ),
  ['+infinity', { kind: 'reserved', name: 'infinity' }],
  ['am', { kind: 'meridiem', afternoon: false }],
  ['pm', { kind: 'meridiem', afternoon: true }],
  ['ad', { kind: 'era', bc: false }],
  ['bc', { kind: 'era', bc: true }],
  ['j', { kind: 'unit', unit: 'julian' }],
  ['jd', { kind: 'unit', unit: 'julian' }],
  ['julian', { kind: 'unit', unit: 'julian' }],
  ...['d', 'h', 'm', 'mm', 's', 'y', 'isoyear'].map((name) => [name, { kind: 'unit', unit: 'other' }] as const),
  ['t', { kind: 'isoTime' }],
  ['dst', { kind: 'daylight' }],
  ['at', { kind: 'ignored' }],
  ['on', { kind: 'ignored' }],
]);

/** Words are told apart by their first ten letters. @param text in lower case */
export function dateTimeWord(text: string, major: number): DateTimeWord | undefined {
  if (text === '+infinity' && major < 16) return undefined;
  return words.get(text.slice(0, 10));
}
