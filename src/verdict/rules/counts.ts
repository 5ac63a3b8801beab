/** `2 to 4`, `at least 2`, `at most 4`, `exactly 2` */
export function formatRange(min: number, max: number): string {
  if (min === max) return `exactly ${min}`;
  if (max === Infinity) return `at least ${min}`;
  return min === 0 ? `at most ${max}` : `${min} to ${max}`;
}

export function formatTimes(count: number): string {
  return count === 0 ? 'never' : count === 1 ? 'once' : `${count} times`;
}
