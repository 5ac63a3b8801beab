/** One request's parameters and body, checked. */
import type { IncomingMessage } from 'node:http';
import { durationMilliseconds, type Duration } from '../live/index.js';
import { HttpError } from './http-error.js';

/** Bytes. A step with many rows is still small. */
const bodyLimit = 16 * 1024 * 1024;

export class ControlRequest {
  constructor(
    private readonly message: IncomingMessage,
    private readonly query: URLSearchParams,
  ) {}

  /** @throws HttpError 400 for a parameter that is none of these, or is given twice */
  allow(names: readonly string[]): void {
    for (const name of new Set(this.query.keys())) {
      if (!names.includes(name)) {
        const known = names.length === 0 ? 'there are none here' : `there are ${names.join(', ')}`;
        throw new HttpError(400, `unknown parameter "${name}": ${known}`);
      }
      if (this.query.getAll(name).length > 1) throw new HttpError(400, `the parameter "${name}" is given twice`);
    }
  }

  optional(name: string): string | undefined {
    return this.query.get(name) ?? undefined;
  }

  /** @throws HttpError 400 without it */
  required(name: string): string {
    const value = this.optional(name);
    if (value === undefined || value === '') throw new HttpError(400, `the parameter "${name}" is missing`);
    return value;
  }

  /** Milliseconds. @throws HttpError 400 for what is no duration */
  duration(name: string, otherwise: number): number {
    const text = this.optional(name);
    if (text === undefined) return otherwise;
    try {
      return durationMilliseconds(text as Duration);
    } catch (error) {
      throw new HttpError(400, `${name}: ${(error as Error).message}`);
    }
  }

  /** @throws HttpError 400 for anything but a whole number */
  count(name: string, otherwise: number): number {
    const text = this.optional(name) ?? String(otherwise);
    if (!/^\d{1,15}$/.test(text)) throw new HttpError(400, `${name}: "${text}" is not a whole number`);
    return Number(text);
  }

  /** The body, which must be UTF-8. @throws HttpError 400, 413 */
  async text(): Promise<string> {
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of this.message as AsyncIterable<Uint8Array>) {
      length += chunk.length;
      if (length > bodyLimit) throw new HttpError(413, `the body is longer than ${bodyLimit} bytes`);
      chunks.push(chunk);
    }
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
    } catch {
      throw new HttpError(400, 'the body is not UTF-8');
    }
  }
}
