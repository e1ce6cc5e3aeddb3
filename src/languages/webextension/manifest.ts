/** What an extension consists of: its manifest names scripts and pages, pages name scripts, scripts import others. */
import { basename, dirname, join, relative } from "node:path";
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
  /** A page of the extension. */
  readonly isPage?: boolean;
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
  readonly [key: string]: unknown;
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
  const first = [
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
  ];
  const backgroundPages = texts(background?.page);
  const pages = new Pages(scripts, backgroundPages, !isSplit);
  for (const [key, page] of pagesNamedIn(manifest)) pages.open(page, nameOfPage(key), true); // sound: test/languages/webextension/fixtures.test.ts
  for (const { scripts: all } of first) pages.follow(all);
  return {
    name: typeof manifest.name === "string" ? manifest.name : basename(dirname(input.file)),
    isKeptOut: manifest.incognito === "not_allowed",
    components: [...first, ...pages.components],
  };
}

/** Every page that the manifest names, under whatever key: there are more of these with every version of the browsers. */
function pagesNamedIn(manifest: Manifest): (readonly [key: string, page: string])[] {
  const pages: (readonly [string, string])[] = [];
  const visit = (key: string, value: unknown): void => {
    if (typeof value === "string" && isPage(value) && !value.includes("*")) pages.push([key, value]);
    else if (typeof value === "object" && value !== null)
      for (const [inner, each] of Object.entries(value)) visit(Array.isArray(value) ? key : inner, each);
  };
  for (const [key, value] of Object.entries(manifest)) if (key !== "background") visit(key, value);
  return pages;
}

/** `help.html?part=2`, not an address elsewhere. */
const isPage = (text: string): boolean => /^[^\s:<>]+\.x?html?([?#].*)?$/i.test(text);
const isScript = (text: string): boolean => /^[^\s:<>*]+\.m?js$/i.test(text);

const nameOfPage = (key: string): string =>
  ({
    default_popup: "Popup",
    page: "Options",
    options_page: "Options",
    default_panel: "Sidebar",
    default_path: "Panel",
  })[key] ?? "Page";

/** Pages as components, with those that they link to and those that their scripts name. */
class Pages {
  readonly components: Component[] = [];
  readonly #scripts: Scripts;
  readonly #sharesVariables: boolean;
  readonly #seen: Set<string>;

  constructor(scripts: Scripts, seen: readonly string[], sharesVariables: boolean) {
    this.#scripts = scripts;
    this.#seen = new Set(seen.map((page) => join(page)));
    this.#sharesVariables = sharesVariables;
  }

  /** `isNamed`: the manifest says that it is there. */
  open(page: string, name: string, isNamed: boolean): void {
    const path = join("/", page.replace(/[?#].*$/, "")).slice(1);
    if (this.#seen.has(path) || (!isNamed && !this.#scripts.has(path))) return;
    this.#seen.add(path);
    const files = this.#scripts.withImports([
      ...this.#scripts.inPage(path).flatMap((file) => this.#scripts.read(file)),
      ...this.#scripts.insidePage(path),
    ]);
    if (files.length > 0)
      this.components.push({
        name: this.#free(name),
        scripts: files,
        sharesVariables: this.#sharesVariables,
        isPage: true,
      });
    for (const linked of this.#scripts.linkedFrom(path))
      this.open(join(dirname(path), linked), "Page", false); // sound: test/languages/webextension/fixtures.test.ts
    this.follow(files);
  }

  /** Texts in scripts that name a page or a script of the extension: something may open or inject it. */
  follow(files: readonly TypeScript.SourceFile[]): void {
    for (const file of files)
      for (const text of this.#scripts.textsIn(file)) {
        const places = [text, join(dirname(this.#scripts.relative(file.fileName)), text)];
        if (isPage(text)) for (const place of places) this.open(place, "Page", false); // sound: test/languages/webextension/fixtures.test.ts
        if (isScript(text)) for (const place of places) this.#inject(place);
      }
  }

  #inject(script: string): void {
    const path = join("/", script).slice(1);
    if (this.#seen.has(path) || !this.#scripts.has(path) || this.#scripts.isRead(path)) return;
    this.#seen.add(path);
    const files = this.#scripts.withImports(this.#scripts.read(path));
    this.components.push({ name: this.#free("Injected"), scripts: files, sharesVariables: false });
    this.follow(files);
  }

  #free(name: string): string {
    const isTaken = (each: string): boolean => this.components.some((component) => component.name === each);
    if (!isTaken(name)) return name;
    for (let number = 2; ; number++) if (!isTaken(`${name}${number}`)) return `${name}${number}`;
  }
}

const texts = (value: unknown): string[] =>
  (Array.isArray(value) ? (value as unknown[]) : [value]).filter((each) => typeof each === "string");

function parseManifest({ file, text }: ExtensionInput, report: (diagnostic: Diagnostic) => void): Manifest {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value as Manifest;
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
  readonly #read = new Set<string>();

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
    this.#read.add(path);
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

  has(name: string): boolean {
    return this.#text(join(dirname(this.#input.file), name)) !== undefined;
  }

  isRead(name: string): boolean {
    return this.#read.has(join(dirname(this.#input.file), name));
  }

  /** As the manifest would name it. */
  relative(path: string): string {
    return relative(dirname(this.#input.file), path);
  }

  /** Pages that a page leads to. */
  linkedFrom(page: string): string[] {
    const html = this.#text(join(dirname(this.#input.file), page)) ?? "";
    return [...html.matchAll(/\s(?:href|src|action|data)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/gi)]
      .map(([, a, b, c]) => (a ?? b ?? c)!)
      .filter(isPage);
  }

  /** The scripts that stand in a page itself, where they stand in it. */
  insidePage(page: string): TypeScript.SourceFile[] {
    const path = join(dirname(this.#input.file), page);
    const html = this.#text(path) ?? "";
    let hasScript = false;
    let text = html.replace(/[^\n]/g, " ");
    for (const match of html.matchAll(/<script(?![^>]*\ssrc\s*=)[^>]*>([\s\S]*?)<\/script\s*>/gi)) {
      const [whole, inner = ""] = match;
      if (
        inner.trim() === "" ||
        /type\s*=\s*["']?(application|text\/(?!javascript))/i.test(whole.slice(0, whole.indexOf(">")))
      )
        continue;
      const start = match.index + whole.indexOf(">") + 1;
      text = text.slice(0, start) + inner + text.slice(start + inner.length);
      hasScript = true;
    }
    return hasScript ? [this.parse(path, text)] : [];
  }

  /** Texts that are written in a script, also in pieces. */
  textsIn(file: TypeScript.SourceFile): Set<string> {
    const { ts } = this.#input;
    const known = new Map<string, string>();
    const folded = (node: TypeScript.Node): string | undefined => {
      if (ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) return node.text;
      if (ts.isParenthesizedExpression(node)) return folded(node.expression);
      if (ts.isIdentifier(node)) return known.get(node.text);
      if (ts.isTemplateExpression(node)) {
        const spans = node.templateSpans.map((span) => [folded(span.expression), span.literal.text] as const);
        return spans.some(([inner]) => inner === undefined)
          ? undefined
          : node.head.text + spans.flat().join("");
      }
      if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken)
        return undefined;
      const [left, right] = [folded(node.left), folded(node.right)];
      return left === undefined || right === undefined ? undefined : left + right;
    };
    const found = new Set<string>();
    const visit = (node: TypeScript.Node): void => {
      const text = folded(node);
      if (text !== undefined) found.add(text);
      if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer) {
        const value = folded(node.initializer);
        if (value !== undefined) known.set(node.name.text, value);
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
    visit(file); // Once more: by now names are known that are used before they are declared.
    return found;
  }

  /** The scripts of a page, in order. */
  inPage(page: unknown): string[] {
    if (typeof page !== "string") return [];
    const html = this.#input.readFile(join(dirname(this.#input.file), page));
    if (html === undefined) {
      this.#missing(page, { file: this.#input.file, ...placeOf(this.#input.text, page) });
      return [];
    }
    return [...html.matchAll(/<script[^>]*\ssrc\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/gi)]
      .map(([, a, b, c]) => (a ?? b ?? c)!)
      .map((src) => (src.startsWith("/") ? src.slice(1) : join(dirname(page), src)));
  }

  /** With what they import from files of their own. */
  withImports(first: readonly TypeScript.SourceFile[]): readonly TypeScript.SourceFile[] {
    const all = new Map(first.map((file) => [file.fileName, file]));
    for (const file of all.values())
      for (const { text, pos, end } of this.#imports(file)) {
        const path = text.startsWith("/")
          ? join(dirname(this.#input.file), text)
          : join(dirname(file.fileName), text);
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
    const called: { text: string; pos: number; end: number }[] = [];
    const visit = (node: TypeScript.Node): void => {
      if (
        ts.isCallExpression(node) &&
        (node.expression.kind === ts.SyntaxKind.ImportKeyword ||
          node.expression.getText() === "importScripts")
      )
        for (const each of node.arguments)
          if (ts.isStringLiteralLike(each) && !/^[a-z]+:/i.test(each.text))
            called.push({ text: each.text, pos: each.getStart(), end: each.end });
      ts.forEachChild(node, visit);
    };
    visit(file);
    const declared = file.statements.flatMap((statement) => {
      if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) return [];
      const { text } = statement.moduleSpecifier;
      return text.startsWith(".")
        ? [{ text, pos: statement.moduleSpecifier.getStart(), end: statement.moduleSpecifier.end }]
        : [];
    });
    return [...declared, ...called];
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
