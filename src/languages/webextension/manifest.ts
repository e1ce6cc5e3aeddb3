/** What an extension consists of: its manifest names scripts and pages, pages name scripts, scripts import others. */
import { basename, dirname, join } from "node:path";
import type TypeScript from "typescript";
import type { Diagnostic, Sources, Span } from "../../model/diagnostic.js";

export interface ExtensionInput {
  /** The manifest, or a single script. */
  readonly file: string;
  readonly text: string;
  readFile(path: string): string | undefined;
  readonly sources: Sources;
  /** The compiler is loaded by the caller, and only when an extension is. */
  readonly ts: typeof TypeScript;
}

/** Scripts that run together and share their variables. */
export interface Component {
  /** A name for principals: `Background`, `Content`. */
  readonly name: string;
  readonly scripts: readonly TypeScript.SourceFile[];
  /** The private window's variables are the normal window's: one page for both. */
  readonly sharesVariables: boolean;
}

export interface Extension {
  readonly name: string;
  readonly components: readonly Component[];
  /** Private windows do not see the extension at all. */
  readonly isKeptOut: boolean;
}

interface Manifest {
  readonly name?: unknown;
  readonly incognito?: unknown;
  readonly background?: {
    readonly scripts?: unknown;
    readonly service_worker?: unknown;
    readonly page?: unknown;
  };
  readonly content_scripts?: unknown;
  readonly action?: { readonly default_popup?: unknown };
  readonly browser_action?: { readonly default_popup?: unknown };
  readonly options_ui?: { readonly page?: unknown };
}

export function readExtension(input: ExtensionInput, report: (diagnostic: Diagnostic) => void): Extension {
  const scripts = new Scripts(input, report);
  if (!/\.json$/i.test(input.file)) {
    const script = scripts.parse(input.file, input.text);
    const name = basename(input.file);
    return {
      name,
      isKeptOut: false,
      components: [{ name: "Script", scripts: scripts.withImports([script]), sharesVariables: true }],
    };
  }
  const manifest = parseManifest(input, report);
  const isSplit = manifest.incognito === "split";
  const component = (name: string, files: readonly string[], sharesVariables: boolean): Component[] =>
    files.length === 0
      ? []
      : [
          {
            name,
            scripts: scripts.withImports(files.flatMap((file) => scripts.read(file))),
            sharesVariables,
          },
        ];
  const { background } = manifest;
  const contents = Array.isArray(manifest.content_scripts) ? (manifest.content_scripts as unknown[]) : [];
  const popup = manifest.action?.default_popup ?? manifest.browser_action?.default_popup;
  return {
    name: typeof manifest.name === "string" ? manifest.name : basename(dirname(input.file)),
    isKeptOut: manifest.incognito === "not_allowed",
    components: [
      ...component(
        "Background",
        [
          ...texts(background?.scripts),
          ...texts(background?.service_worker),
          ...scripts.inPage(background?.page),
        ],
        !isSplit,
      ),
      // Each tab has its own.
      ...contents.flatMap((entry, i) =>
        component(
          i === 0 ? "Content" : `Content${i + 1}`,
          texts((entry as { js?: unknown } | null)?.js),
          false,
        ),
      ),
      ...component("Popup", scripts.inPage(popup), !isSplit),
      ...component("Options", scripts.inPage(manifest.options_ui?.page), !isSplit),
    ],
  };
}

const texts = (value: unknown): string[] =>
  (Array.isArray(value) ? (value as unknown[]) : [value]).filter((each) => typeof each === "string");

function parseManifest({ file, text }: ExtensionInput, report: (diagnostic: Diagnostic) => void): Manifest {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value;
    throw new Error("it is no object");
  } catch (error) {
    const position = /position (\d+)/.exec((error as Error).message)?.[1];
    const start = Number(position ?? 0);
    report({
      code: "webextension/bad-manifest",
      severity: "error",
      message: `the manifest cannot be read: ${(error as Error).message}`,
      span: { file, start, end: start + 1 },
    });
    return {};
  }
}

class Scripts {
  readonly #input: ExtensionInput;
  readonly #report: (diagnostic: Diagnostic) => void;

  constructor(input: ExtensionInput, report: (diagnostic: Diagnostic) => void) {
    this.#input = input;
    this.#report = report;
  }

  /** A script that the manifest names, or nothing and a diagnostic. */
  read(name: string): TypeScript.SourceFile[] {
    const path = join(dirname(this.#input.file), name);
    const text = this.#input.readFile(path);
    if (text !== undefined) return [this.parse(path, text)];
    this.#missing(name, { file: this.#input.file, ...placeOf(this.#input.text, name) });
    return [];
  }

  parse(path: string, text: string): TypeScript.SourceFile {
    const { ts, sources } = this.#input;
    sources.add(path, text);
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kindOf(ts, path));
    const { parseDiagnostics = [] } = file as {
      parseDiagnostics?: readonly TypeScript.DiagnosticWithLocation[];
    };
    for (const { start, length, messageText } of parseDiagnostics.slice(0, 20))
      this.#report({
        code: "webextension/syntax",
        severity: "error",
        message: ts.flattenDiagnosticMessageText(messageText, " "),
        span: { file: path, start, end: start + length },
      });
    return file;
  }

  /** The scripts of a page, in order. */
  inPage(page: unknown): string[] {
    if (typeof page !== "string") return [];
    const html = this.#input.readFile(join(dirname(this.#input.file), page));
    if (html === undefined) {
      this.#missing(page, { file: this.#input.file, ...placeOf(this.#input.text, page) });
      return [];
    }
    return [...html.matchAll(/<script[^>]*\ssrc\s*=\s*["']([^"']+)["']/gi)].map(([, src]) =>
      join(dirname(page), src!),
    );
  }

  /** With what they import from files of their own. */
  withImports(first: readonly TypeScript.SourceFile[]): readonly TypeScript.SourceFile[] {
    const all = new Map(first.map((file) => [file.fileName, file]));
    for (const file of all.values())
      for (const { text, pos, end } of this.#imports(file)) {
        const path = join(dirname(file.fileName), text);
        const found = [path, `${path}.js`, `${path}.ts`].find(
          (each) => all.has(each) || this.#text(each) !== undefined,
        );
        if (found === undefined) this.#missing(text, { file: file.fileName, start: pos, end });
        else if (!all.has(found)) all.set(found, this.parse(found, this.#text(found)!));
      }
    return [...all.values()];
  }

  #imports(file: TypeScript.SourceFile): { text: string; pos: number; end: number }[] {
    const { ts } = this.#input;
    return file.statements.flatMap((statement) => {
      if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) return [];
      const { text } = statement.moduleSpecifier;
      return text.startsWith(".")
        ? [{ text, pos: statement.moduleSpecifier.getStart(), end: statement.moduleSpecifier.end }]
        : [];
    });
  }

  #text(path: string): string | undefined {
    return this.#input.readFile(path);
  }

  #missing(name: string, span: Span): void {
    this.#report({
      code: "webextension/missing-file",
      severity: "error",
      message: `there is no file '${name}'`,
      span,
      hint: "paths are relative to the file that names them",
    });
  }
}

function placeOf(text: string, part: string): { readonly start: number; readonly end: number } {
  const start = Math.max(0, text.indexOf(`"${part}"`));
  return { start, end: start + part.length + 2 };
}

const kindOf = (ts: typeof TypeScript, path: string): TypeScript.ScriptKind =>
  /\.tsx?$/i.test(path) ? ts.ScriptKind.TS : ts.ScriptKind.JS;
