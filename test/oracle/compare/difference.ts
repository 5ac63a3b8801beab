/** The first difference between what a server sent and what the product sends, message by message. */
import { Decoder } from '../../../src/pgoutput/decoder.js';
import type { Message, Streaming } from '../../../src/pgoutput/messages.js';
import { formatLsn } from '../../../src/values/lsn.js';
import type { ServerMessage } from '../client/capture.js';
import type { Sent, SentMessage } from './emulate.js';

/** Messages shown before the difference. */
const contextLength = 3;

/** @returns null when both are the same to the last byte */
export function firstDifference(server: Sent, product: Sent, streaming: Streaming): string | null {
  const count = Math.max(server.messages.length, product.messages.length);
  for (let index = 0; index < count; index++) {
    const [real, ours] = [server.messages[index], product.messages[index]];
    if (real && ours && real.lsn === ours.lsn && real.payload.equals(ours.payload)) continue;
    return explain(server, product, index, streaming);
  }
  const problems = [
    ['error', shown(server.error), shown(product.error)],
    ['notices', server.notices.map(shown).join('; '), product.notices.map(shown).join('; ')],
  ] as const;
  for (const [what, real, ours] of problems) {
    if (real !== ours) return `${what}\n  server   ${real || 'none'}\n  emulated ${ours || 'none'}`;
  }
  return null;
}

function explain(server: Sent, product: Sent, index: number, streaming: Streaming): string {
  const [real, ours] = [server, product].map((sent) => describe(sent.messages.slice(0, index + 1), streaming)) as [
    string[],
    string[],
  ];
  const lines = [`message ${index + 1} of ${server.messages.length} (emulated: ${product.messages.length})`];
  for (const line of real.slice(Math.max(0, index - contextLength), index)) lines.push(`  both     ${line}`);
  lines.push(`  server   ${real[index] ?? ended(server)}`, `  emulated ${ours[index] ?? ended(product)}`);
  return lines.join('\n');
}

function ended({ error }: Sent): string {
  return error ? shown(error) : 'nothing more';
}

function shown(message: ServerMessage | undefined): string {
  return message ? `${message.severity} ${message.code} ${message.message}` : '';
}

function describe(messages: readonly SentMessage[], streaming: Streaming): string[] {
  const decoder = new Decoder({ streaming });
  return messages.map(({ lsn, payload }) => `${formatLsn(lsn)} ${describeMessage(payload, decoder)}`);
}

function describeMessage(payload: Buffer, decoder: Decoder): string {
  try {
    return printMessage(decoder.decode(payload));
  } catch (error) {
    return `${payload.toString('hex')} (${(error as Error).message})`;
  }
}

function printMessage({ kind, ...fields }: Message): string {
  const json = JSON.stringify(fields, (key, value: unknown) => {
    if (typeof value === 'bigint') return key.endsWith('Lsn') || key === 'lsn' ? formatLsn(value) : value.toString();
    if (typeof value === 'symbol') return '(unchanged)';
    if (typeof value === 'string' && value.length > 100) return `${value.slice(0, 60)}… (${value.length})`;
    return value instanceof Uint8Array ? `0x${Buffer.from(value).toString('hex')}` : value;
  });
  return `${kind} ${json}`;
}
