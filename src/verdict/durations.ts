/** `250 ms`, `1.5 s`: times as reports print them. */
export function formatDuration(milliseconds: number): string {
  const rounded = Math.round(milliseconds);
  return rounded < 1000 ? `${rounded} ms` : `${Number((milliseconds / 1000).toFixed(3))} s`;
}

/** ` within 10 s`; nothing where there is no limit. */
export function formatLimit(milliseconds: number | undefined): string {
  return milliseconds === undefined ? '' : ` within ${formatDuration(milliseconds)}`;
}
