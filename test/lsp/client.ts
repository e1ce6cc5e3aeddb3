/** A client of the language server, in this process. */
import { PassThrough } from "node:stream";
import { serveLanguages } from "../../src/lsp/index.js";
import { MessageReader, framed, type Message } from "../../src/lsp/messages.js";

export interface Reply {
  readonly id?: number | string | null;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

export class Client {
  readonly #input = new PassThrough();
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  readonly #notified: Reply[] = [];
  readonly exitCode: Promise<number>;
  #last = 0;

  constructor() {
    const output = new PassThrough();
    const reader = new MessageReader();
    output.on("data", (bytes: Uint8Array) => {
      for (const message of reader.read(bytes)) this.#hear(message as Message & Reply);
    });
    this.exitCode = serveLanguages(this.#input, output);
  }

  #hear(reply: Reply): void {
    if (typeof reply.id === "number" && reply.method === undefined) this.#waiting.get(reply.id)?.(reply);
    else this.#notified.push(reply);
  }

  /** Writes bytes as they are. */
  write(text: string): void {
    this.#input.write(text);
  }

  end(): void {
    this.#input.end();
  }

  notify(method: string, params: unknown = {}): void {
    this.write(framed({ method, params }));
  }

  reply(method: string, params: unknown = {}): Promise<Reply> {
    const id = ++this.#last;
    const answered = new Promise<Reply>((resolve) => this.#waiting.set(id, resolve));
    this.write(framed({ id, method, params }));
    return answered;
  }

  async request<T>(method: string, params: unknown = {}): Promise<T> {
    const { result, error } = await this.reply(method, params);
    if (error) throw new Error(`${error.code}: ${error.message}`);
    return result as T;
  }

  /** Notifications since the last call. */
  notified(): readonly Reply[] {
    return this.#notified.splice(0);
  }

  async initialize(): Promise<void> {
    await this.request("initialize", { capabilities: {} });
    this.notify("initialized");
  }

  async open(uri: string, text: string, languageId = ""): Promise<readonly LspDiagnostic[]> {
    this.notify("textDocument/didOpen", { textDocument: { uri, languageId, version: 1, text } });
    return this.diagnostics(uri);
  }

  async change(uri: string, text: string): Promise<readonly LspDiagnostic[]> {
    this.notify("textDocument/didChange", { textDocument: { uri, version: 2 }, contentChanges: [{ text }] });
    return this.diagnostics(uri);
  }

  /** Requests are answered in order: an answer comes after the diagnostics of earlier changes. */
  async diagnostics(uri: string): Promise<readonly LspDiagnostic[]> {
    await this.reply("textDocument/documentSymbol", { textDocument: { uri } });
    const published = this.notified().filter(({ method }) => method === "textDocument/publishDiagnostics");
    const { diagnostics } = published.at(-1)!.params as { diagnostics: LspDiagnostic[] };
    return diagnostics;
  }
}

export interface LspDiagnostic {
  readonly range: LspRange;
  readonly severity: number;
  readonly code: string;
  readonly message: string;
}

export interface LspRange {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
}
