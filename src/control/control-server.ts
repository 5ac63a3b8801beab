/**
 * The HTTP face of a running server, on loopback and with a token, for test suites in any language. Bodies are JSON both
 * ways, steps may be YAML; whatever is refused has `error` in its body.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StatementError } from '../database/index.js';
import type { LiveServer } from '../live/index.js';
import { ScenarioError } from '../scenario/index.js';
import { StreamEnds } from './confirmation.js';
import { EventWindow } from './event-window.js';
import { HttpError } from './http-error.js';
import { ControlRequest } from './request.js';
import { routes, type ControlContext } from './routes.js';

export interface ControlOptions {
  /** Default 0: any free one. */
  readonly port?: number;
  /** What clients say in `Authorization: Bearer`. Default: 32 random hexadecimal digits. */
  readonly token?: string;
}

export class ControlServer {
  readonly token: string;
  readonly #port: number;
  readonly #context: ControlContext;
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  readonly #closing = new AbortController();
  readonly #stopListening: () => void;

  /** @throws TypeError for an empty token */
  constructor(live: LiveServer, { port = 0, token = randomBytes(16).toString('hex') }: ControlOptions = {}) {
    if (token === '') throw new TypeError('the control token is empty');
    this.token = token;
    this.#port = port;
    const window = new EventWindow();
    const ends = new StreamEnds();
    this.#context = { live, window, ends };
    this.#stopListening = live.events.on('*', (event) => {
      window.add(event);
      ends.follow(event);
    });
  }

  /** @returns its URL. @throws the socket's error, EADDRINUSE say */
  async listen(): Promise<string> {
    this.#server.listen({ host: '127.0.0.1', port: this.#port });
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Requests that wait get their answer at once. */
  async close(): Promise<void> {
    this.#stopListening();
    this.#closing.abort(new Error('the server is closing'));
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => gone.abort(new Error('the client has gone')));
    try {
      const body = await this.#answer(message, AbortSignal.any([gone.signal, this.#closing.signal]));
      respond(response, 200, body);
    } catch (error) {
      const { status, message: text, details, headers } = refusal(error);
      // Nobody may keep open what is closing.
      const last = this.#closing.signal.aborted ? { connection: 'close' } : {};
      respond(response, status, { error: text, ...details }, { ...headers, ...last });
    }
  }

  #answer(message: IncomingMessage, signal: AbortSignal): unknown {
    this.#authorize(message);
    const { pathname, searchParams } = targetOf(message);
    const methods = routes[pathname];
    if (!methods) throw new HttpError(404, `there is no ${pathname}`, { routes: routeList() });
    const route = methods[message.method ?? ''];
    if (!route) {
      const allow = Object.keys(methods).join(', ');
      throw new HttpError(405, `${pathname} takes ${allow}`, {}, { allow });
    }
    const request = new ControlRequest(message, searchParams);
    request.allow(route.parameters);
    return route.run(this.#context, request, signal);
  }

  #authorize({ headers }: IncomingMessage): void {
    const [, given] = /^Bearer +(.+)$/i.exec(headers.authorization ?? '') ?? [];
    if (given !== undefined && timingSafeEqual(digest(given), digest(this.token))) return;
    const what = given === undefined ? 'say `Authorization: Bearer TOKEN`' : 'this is not the token';
    throw new HttpError(401, what, {}, { 'www-authenticate': 'Bearer' });
  }
}

/** @throws HttpError 400 for what is no path, `//` say */
function targetOf({ url = '/' }: IncomingMessage): URL {
  try {
    return new URL(url, 'http://127.0.0.1');
  } catch {
    throw new HttpError(400, `${JSON.stringify(url)} is no path of a URL`);
  }
}

/** Of equal length, whatever the text. */
function digest(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}

function routeList(): string[] {
  return Object.entries(routes).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary }]) => `${method} ${path}: ${summary}`),
  );
}

function refusal(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof ScenarioError) return new HttpError(400, error.message, { problems: error.problems });
  if (error instanceof StatementError) return new HttpError(400, error.message);
  return new HttpError(500, error instanceof Error ? error.message : String(error));
}

function respond(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = `${JSON.stringify(body)}\n`;
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(text);
}
