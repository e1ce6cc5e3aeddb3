/** The protocol: one loop that answers requests in their order, and publishes diagnostics of open documents. */
import type { Readable, Writable } from "node:stream";
import { hasErrors, type Diagnostic } from "../model/index.js";
import { version } from "../report/index.js";
import { analyse, occurrencesOf, renaming, wordAt, type Analysis } from "./analysis.js";
import { Documents, Lines, uriOf, type LspPosition, type LspRange, type TextDocument } from "./documents.js";
import { ErrorCode, MessageReader, RequestError, framed, type Message } from "./messages.js";
import type { Word } from "./words.js";

/** Serves one client until it says `exit`, or is gone; returns the exit code. */
export function serveLanguages(input: Readable, output: Writable): Promise<number> {
  const server = new Server((message) => void output.write(framed(message)));
  const reader = new MessageReader();
  return new Promise((resolve) => {
    let work = Promise.resolve();
    const finish = (): void => void work.then(() => resolve(server.exitCode));
    input.on("data", (bytes: Uint8Array) => {
      for (const message of reader.read(bytes)) {
        work = work.then(() => server.receive(message));
        if (message?.method === "exit") finish();
      }
    });
    input.on("end", finish);
    input.on("error", finish);
  });
}

class Server {
  readonly #send: (message: object) => void;
  readonly #documents = new Documents();
  readonly #analyses = new Map<
    string,
    { readonly document: TextDocument; readonly analysis: Promise<Analysis | undefined> }
  >();
  #state: "new" | "open" | "shut" = "new";

  constructor(send: (message: object) => void) {
    this.#send = send;
  }

  /** A client that leaves without a shutdown has failed. */
  get exitCode(): number {
    return this.#state === "shut" ? 0 : 1;
  }

  async receive(message: Message | undefined): Promise<void> {
    const id = message?.id;
    try {
      if (!message) throw new RequestError(ErrorCode.parse, "the message is not JSON");
      if (typeof message.method !== "string") {
        if (id === undefined) return;
        throw new RequestError(ErrorCode.invalidRequest, "the message has no method");
      }
      const result = await this.#answer(message.method, (message.params ?? {}) as Params, id !== undefined);
      if (id !== undefined) this.#send({ id, result });
    } catch (error) {
      if (message && id === undefined) return this.#log(error); // Notifications have no answer.
      const code = error instanceof RequestError ? error.code : ErrorCode.internal;
      this.#send({
        id: id ?? null,
        error: { code, message: error instanceof Error ? error.message : String(error) },
      });
    }
  }

  #log(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.#send({ method: "window/logMessage", params: { type: 1, message } });
  }

  async #answer(method: string, params: Params, isRequest: boolean): Promise<unknown> {
    if (method === "initialize") {
      this.#state = "open";
      return { capabilities, serverInfo: { name: "everypath", version } };
    }
    if (method === "exit") return null;
    if (this.#state !== "open") {
      if (!isRequest) return null;
      throw new RequestError(
        this.#state === "new" ? ErrorCode.notInitialized : ErrorCode.invalidRequest,
        this.#state === "new" ? "initialize comes first" : "the server was shut down",
      );
    }
    const handler = this.#handlers[method];
    if (handler) return handler(params);
    if (!isRequest || method.startsWith("$/")) return null;
    throw new RequestError(ErrorCode.unknownMethod, `there is no method '${method}'`);
  }

  readonly #handlers: Readonly<Record<string, ((params: Params) => unknown) | undefined>> = {
    shutdown: () => {
      this.#state = "shut";
      return null;
    },
    "textDocument/didOpen": ({ textDocument }) => this.#opened(documentOf(textDocument)),
    "textDocument/didChange": (params) => this.#changed(params),
    "textDocument/didClose": ({ textDocument }) => this.#closed(uriIn(textDocument)),
    "textDocument/hover": (params) => this.#at(params, hover),
    "textDocument/definition": (params) =>
      this.#at(params, ({ analysis, lines, word, uri }) => {
        const [first] = word?.kind === "name" ? occurrencesOf(analysis, word) : [];
        return first ? { uri, range: lines.range(first.start, first.end) } : null;
      }),
    "textDocument/references": (params) =>
      this.#at(params, ({ analysis, lines, word, uri }) =>
        word?.kind === "name"
          ? occurrencesOf(analysis, word).map(({ start, end }) => ({ uri, range: lines.range(start, end) }))
          : [],
      ),
    "textDocument/documentHighlight": (params) =>
      this.#at(params, ({ analysis, lines, word }) =>
        word?.kind === "name"
          ? occurrencesOf(analysis, word).map(({ start, end }) => ({ range: lines.range(start, end) }))
          : [],
      ),
    "textDocument/documentSymbol": async ({ textDocument }) => {
      const { analysis, lines } = await this.#look(uriIn(textDocument));
      return outline(analysis, lines);
    },
    "textDocument/codeLens": async ({ textDocument }) => {
      const uri = uriIn(textDocument);
      const { analysis, lines } = await this.#look(uri);
      return analysis ? lenses(analysis, lines, uri) : [];
    },
    "textDocument/completion": (params) => this.#at(params, completion),
    "textDocument/prepareRename": (params) =>
      this.#at(params, ({ lines, word }) =>
        word?.kind === "name" ? { range: lines.range(word.start, word.end), placeholder: word.text } : null,
      ),
    "textDocument/rename": (params) =>
      this.#at(params, async ({ analysis, lines, word, uri }) => {
        const { newName } = params;
        if (!word || typeof newName !== "string")
          throw new RequestError(ErrorCode.invalidParams, "there is no name to rename here");
        const found = await renaming(analysis, word, newName);
        if ("problem" in found) throw new RequestError(ErrorCode.requestFailed, found.problem);
        const edits = found.places.map(({ start, end }) => ({
          range: lines.range(start, end),
          newText: newName,
        }));
        return { changes: { [uri]: edits } };
      }),
  };

  async #opened(document: TextDocument): Promise<void> {
    this.#documents.set(document);
    await this.#publish(document.uri);
  }

  async #changed({ textDocument, contentChanges }: Params): Promise<void> {
    const uri = uriIn(textDocument);
    const known = this.#documents.get(uri);
    const text = (Array.isArray(contentChanges) ? (contentChanges.at(-1) as Params) : undefined)?.["text"];
    if (!known || typeof text !== "string") return;
    const version = Number((textDocument as Params)["version"] ?? known.version + 1);
    this.#documents.set({ ...known, text, version });
    await this.#publish(uri);
  }

  #closed(uri: string): void {
    this.#documents.close(uri);
    this.#analyses.delete(uri);
    this.#send({ method: "textDocument/publishDiagnostics", params: { uri, diagnostics: [] } });
  }

  async #publish(uri: string): Promise<void> {
    const { analysis, lines, document } = await this.#look(uri);
    const diagnostics = analysis ? analysis.diagnostics.map((one) => diagnosticOf(one, analysis, lines)) : [];
    const params = { uri, version: document.version, diagnostics };
    this.#send({ method: "textDocument/publishDiagnostics", params });
  }

  async #look(uri: string): Promise<Looked> {
    const document = this.#documents.get(uri);
    if (!document) throw new RequestError(ErrorCode.invalidParams, `'${uri}' is not open`);
    let known = this.#analyses.get(uri);
    if (known?.document !== document) {
      const analysis = analyse(this.#documents.input(document), document.languageId);
      known = { document, analysis };
      this.#analyses.set(uri, known);
    }
    return { analysis: await known.analysis, lines: new Lines(document.text), document };
  }

  async #at<T>(params: Params, answer: (place: At) => T | Promise<T>): Promise<T | null> {
    const uri = uriIn(params["textDocument"]);
    const { analysis, lines } = await this.#look(uri);
    if (!analysis) return null;
    const offset = lines.offset(positionIn(params["position"]));
    return answer({ analysis, lines, uri, offset, word: wordAt(analysis, offset) });
  }
}

type Params = Readonly<Record<string, unknown>>;

interface Looked {
  readonly analysis: Analysis | undefined;
  readonly lines: Lines;
  readonly document: TextDocument;
}

interface At {
  readonly analysis: Analysis;
  readonly lines: Lines;
  readonly uri: string;
  readonly offset: number;
  readonly word: Word | undefined;
}

/** Documents are sent whole after every change. */
const capabilities = {
  textDocumentSync: 1,
  hoverProvider: true,
  definitionProvider: true,
  referencesProvider: true,
  documentHighlightProvider: true,
  documentSymbolProvider: true,
  codeLensProvider: {},
  completionProvider: {},
  renameProvider: { prepareProvider: true },
};

// ---- requests ------------------------------------------------------------------------------------

function documentOf(value: unknown): TextDocument {
  const { uri, languageId = "", version = 0, text } = (value ?? {}) as Params;
  if (typeof uri !== "string" || typeof text !== "string")
    throw new RequestError(ErrorCode.invalidParams, "a document has a uri and a text");
  return { uri, languageId: String(languageId), version: Number(version), text };
}

function uriIn(value: unknown): string {
  const uri = (value as Params | undefined)?.["uri"];
  if (typeof uri !== "string") throw new RequestError(ErrorCode.invalidParams, "the document has no uri");
  return uri;
}

function positionIn(value: unknown): LspPosition {
  const { line, character } = (value ?? {}) as Params;
  if (typeof line !== "number" || typeof character !== "number")
    throw new RequestError(ErrorCode.invalidParams, "the position has no line or character");
  return { line, character };
}

// ---- answers -------------------------------------------------------------------------------------

const SEVERITY = { error: 1, warning: 2, note: 3 } as const;

/** A diagnostic in an included file is shown at the beginning, with its place. */
function diagnosticOf(diagnostic: Diagnostic, { input, sources }: Analysis, lines: Lines): object {
  const { span, severity, code, message, hint, notes = [] } = diagnostic;
  const isHere = span.file === input.file;
  const { line, column } = sources.position(span.file, span.start);
  const place = isHere ? "" : `${span.file}:${line}:${column}: `;
  return {
    range: isHere ? lines.range(span.start, span.end) : lines.range(0, 0),
    severity: SEVERITY[severity],
    code,
    source: "everypath",
    message: `${place}${message}${hint === undefined ? "" : `\nhint: ${hint}`}`,
    relatedInformation: notes.map((note) => ({
      location: { uri: uriOf(note.span.file), range: rangeIn(sources, note.span) },
      message: note.message,
    })),
  };
}

function rangeIn(sources: Analysis["sources"], { file, start, end }: Diagnostic["span"]): LspRange {
  return new Lines(sources.text(file) ?? "").range(start, end);
}

function hover({ analysis, lines, word, offset }: At): object | null {
  const property = analysis.outline.find(
    ({ kind, span }) => kind === "property" && span.start <= offset && offset <= span.end,
  );
  const about = [
    ...(word ? [wordText(analysis, lines, word)] : []),
    ...(property ? [`property \`${property.name}\` (${property.detail})`] : []),
  ];
  if (about.length === 0) return null;
  const range = word ? { range: lines.range(word.start, word.end) } : {};
  return { contents: { kind: "markdown", value: about.join("\n\n") }, ...range };
}

function wordText(analysis: Analysis, lines: Lines, word: Word): string {
  if (word.kind !== "name") return `\`${word.text}\`: ${word.kind} of ${analysis.language}`;
  const all = occurrencesOf(analysis, word);
  const first = lines.position(all[0]?.start ?? word.start).line;
  const line = analysis.input.text.split("\n")[first] ?? "";
  const count = `${all.length} ${all.length === 1 ? "occurrence" : "occurrences"}`;
  return `\`\`\`\n${line.trim()}\n\`\`\`\nline ${first + 1}; ${count}`;
}

const SYMBOL = { process: 12, property: 7, test: 6 } as const;

const outline = (analysis: Analysis | undefined, lines: Lines): object[] =>
  (analysis?.outline ?? []).map(({ name, detail, kind, span }) => {
    const range = lines.range(span.start, span.end);
    // The protocol refuses empty names.
    return {
      name: name === "" ? "(no name)" : name,
      detail,
      kind: SYMBOL[kind],
      range,
      selectionRange: range,
    };
  });

/** Commands that the editor offers above the first line, for everything, and above each property and test. */
function lenses({ outline, diagnostics }: Analysis, lines: Lines, uri: string): object[] {
  if (hasErrors(diagnostics)) return [];
  const lens = (range: LspRange, title: string, command: string, ...names: string[]): object => ({
    range,
    command: { title, command: `everypath.${command}`, arguments: [uri, ...names] },
  });
  const top = lines.range(0, 0);
  return [
    lens(top, "check all", "check"),
    lens(top, "explore", "explore"),
    ...outline
      .filter(({ kind, name }) => kind !== "process" && name !== "")
      .flatMap(({ name, span }) => {
        const range = lines.range(span.start, span.end);
        return [lens(range, "check", "check", name), lens(range, "explore", "explore", name)];
      }),
  ];
}

const COMPLETION = { name: 6, keyword: 14, type: 25, constant: 21 } as const;

/** Words of the language, and the names in the text. The client filters them. */
function completion({ analysis: { highlighting, words }, word }: At): object[] {
  const { keywords, types = [], constants = [] } = highlighting;
  const names = new Set(words.filter((one) => one.kind === "name" && one !== word).map(({ text }) => text));
  const items = (labels: Iterable<string>, kind: keyof typeof COMPLETION): object[] =>
    [...labels].map((label) => ({ label, kind: COMPLETION[kind] }));
  return [
    ...items(names, "name"),
    ...items(keywords, "keyword"),
    ...items(types, "type"),
    ...items(constants, "constant"),
  ];
}
