/** The YAML language server of editors, as an editor starts it: JSON-RPC over its standard input and output. */
import { spawn, type ChildProcess } from 'node:child_process';
import { createRequire } from 'node:module';

export interface Place {
  readonly line: number;
  readonly character: number;
}

export interface Finding {
  readonly message: string;
  readonly range: { readonly start: Place };
}

export interface Completion {
  readonly label: string;
  readonly documentation?: string | { readonly value: string };
}

interface Incoming {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
}

export class LanguageServer {
  readonly #process: ChildProcess;
  readonly #answers = new Map<number, (result: unknown) => void>();
  readonly #findings = new Map<string, (findings: readonly Finding[]) => void>();
  #id = 0;
  #received = Buffer.alloc(0);

  /** @param settings - what an editor keeps under `yaml` */
  private constructor(private readonly settings: object) {
    const script = createRequire(__filename).resolve('yaml-language-server/out/server/src/server.js');
    this.#process = spawn(process.execPath, [script, '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#process.stdout!.on('data', (chunk: Buffer) => this.#receive(chunk));
  }

  static async start(settings: object): Promise<LanguageServer> {
    const server = new LanguageServer(settings);
    const textDocument = {
      hover: { contentFormat: ['markdown'] },
      completion: { completionItem: { snippetSupport: true } },
    };
    const capabilities = { textDocument, workspace: { configuration: true } };
    await server.#request('initialize', { processId: process.pid, rootUri: null, capabilities });
    server.#notify('initialized', {});
    return server;
  }

  stop(): void {
    this.#process.kill();
  }

  /** Opens a document; resolves to what is underlined in it. */
  open(uri: string, text: string): Promise<readonly Finding[]> {
    const findings = new Promise<readonly Finding[]>((resolve) => this.#findings.set(uri, resolve));
    this.#notify('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text } });
    return findings;
  }

  async complete(uri: string, position: Place): Promise<readonly Completion[]> {
    const { items } = (await this.#request('textDocument/completion', { textDocument: { uri }, position })) as {
      readonly items: readonly Completion[];
    };
    return items;
  }

  async hover(uri: string, position: Place): Promise<string> {
    const { contents } = (await this.#request('textDocument/hover', { textDocument: { uri }, position })) as {
      readonly contents: { readonly value: string };
    };
    return contents.value;
  }

  #request(method: string, params: unknown): Promise<unknown> {
    const id = ++this.#id;
    this.#send({ id, method, params });
    return new Promise((resolve) => this.#answers.set(id, resolve));
  }

  #notify(method: string, params: unknown): void {
    this.#send({ method, params });
  }

  #send(message: object): void {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.#process.stdin!.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  #receive(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    for (;;) {
      const headerEnd = this.#received.indexOf('\r\n\r\n');
      if (headerEnd < 0) return;
      const start = headerEnd + 4;
      const end = start + Number(/Content-Length: (\d+)/.exec(this.#received.toString('latin1', 0, headerEnd))![1]);
      if (this.#received.length < end) return;
      this.#dispatch(JSON.parse(this.#received.toString('utf8', start, end)) as Incoming);
      this.#received = this.#received.subarray(end);
    }
  }

  #dispatch({ id, method, params, result }: Incoming): void {
    if (method === undefined) {
      this.#answers.get(id!)?.(result);
      this.#answers.delete(id!);
    } else if (method === 'textDocument/publishDiagnostics') {
      const { uri, diagnostics } = params as { readonly uri: string; readonly diagnostics: readonly Finding[] };
      this.#findings.get(uri)?.(diagnostics);
    } else if (id !== undefined) {
      // It asks for the settings of one section after the other, and to be told of changes.
      const { items = [] } = (params ?? {}) as { readonly items?: readonly { readonly section: string }[] };
      const answer =
        method === 'workspace/configuration'
          ? items.map(({ section }) => (section === 'yaml' ? this.settings : null))
          : null;
      this.#send({ id, result: answer });
    }
  }
}
