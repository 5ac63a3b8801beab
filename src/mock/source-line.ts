/** Where in the user's code something was defined. */

/**
 * `file:line:column` of whoever called `builder`; `unknown place` where the engine does not tell.
 * @param builder - the outermost function of this package on the stack
 */
export function callerOf(builder: (...args: never[]) => unknown): string {
  const trace: { stack?: string } = {};
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 1;
  Error.captureStackTrace(trace, builder);
  Error.stackTraceLimit = stackTraceLimit;
  const frame = trace.stack?.split('\n').at(-1)?.trim() ?? '';
  const place = /\(([^()]+:\d+:\d+)\)$/.exec(frame)?.[1] ?? /^at (?:async )?(.+:\d+:\d+)$/.exec(frame)?.[1];
  return shortened(place ?? 'unknown place');
}

/** Paths below the working directory are shown from there. */
function shortened(place: string): string {
  const path = place.replace(/^file:\/\//, '');
  const folder = `${process.cwd()}/`;
  return path.startsWith(folder) ? path.slice(folder.length) : path;
}
