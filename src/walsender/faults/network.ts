/** `network`: how the connection's bytes travel from here on. */
import type { Fault } from './fault.js';

export const network: Fault<'network'> = (step, context) => {
  const { chunk, delayMilliseconds, bandwidth, coalesce } = step;
  const changes = [
    chunk !== undefined && (chunk === Infinity ? 'chunk off' : `chunk of ${chunk} bytes`),
    delayMilliseconds !== undefined && `delay of ${delayMilliseconds} ms`,
    bandwidth !== undefined && (bandwidth === Infinity ? 'bandwidth off' : `bandwidth of ${bandwidth} bytes/s`),
    coalesce !== undefined && `coalesce ${coalesce ? 'on' : 'off'}`,
  ];
  context.report(`network: ${changes.filter((change) => change !== false).join(', ')}`);
  context.session.output.shape(step);
  return 'goOn';
};
