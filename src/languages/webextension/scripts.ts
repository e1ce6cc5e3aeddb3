/** Reads the scripts of an extension: files, inline code of pages, imports. */
import { dirname, join, relative } from "node:path";
import type TypeScript from "typescript";
import type { Sources, Span } from "../../model/diagnostic.js";
import type { Report } from "../toolkit/diagnostics.js";
import { contentsOf, type PageContents } from "./html.js";

export interface ExtensionInput {
  /** The manifest, or a single script. */
  readonly file: string;
  readonly text: string;
  readFile(path: string): string | undefined;
  readonly sources: Sources;
  /** The caller loads the compiler on demand. */
  readonly ts: typeof TypeScript;
}

export class Scripts {
  readonly #input: ExtensionInput;
  readonly #report: Report;
  readonly #read = new Set<string>();
  readonly #pages = new Map<string, ReturnType<Scripts["ofPage"]>>();

  constructor(input: ExtensionInput, report: Report) {
    this.#input = input;
    this.#report = report;
  }

  /** Reads a script of the manifest; reports a diagnostic if it is missing. */
  read(name: string): TypeScript.SourceFile[] {
    const path = join(dirname(this.#input.file), withoutQuery(name));
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

  relative(path: string): string {
    return relative(dirname(this.#input.file), path);
  }

  text(name: string): string | undefined {
    return this.#text(join(dirname(this.#input.file), name));
  }

  /** Scripts of a page, including inline ones, and linked pages. */
  ofPage(page: string): {
    readonly files: readonly TypeScript.SourceFile[];
    readonly links: readonly string[];
    readonly sendsForms: boolean;
    readonly showsOthers: boolean;
  } {
    const known = this.#pages.get(page);
    if (known) return known;
    const path = join(dirname(this.#input.file), page);
    const html = this.#text(path);
    if (html === undefined)
      this.#missing(page, { file: this.#input.file, ...placeOf(this.#input.text, page) });
    const contents = contentsOf(html ?? "");
    const within = (address: string): string =>
      address.startsWith("/") || contents.base.startsWith("/")
        ? join("/", address.startsWith("/") ? "" : folderOf(contents.base), address).slice(1)
        : join(dirname(page), folderOf(contents.base), address); // sound: test/languages/webextension/manifest.test.ts
    if (html !== undefined && contents.unread.length > 0) this.#input.sources.add(path, html);
    for (const { start, end, message } of contents.unread) this.refuse(message, { file: path, start, end });
    const result = {
      files: [
        ...contents.scripts.flatMap((address) => this.read(within(address))),
        ...this.#insidePage(path, html ?? "", contents),
      ],
      links: contents.links.filter(isPage).map(within),
      sendsForms: contents.sendsForms,
      showsOthers: contents.showsOthers,
    };
    this.#pages.set(page, result);
    return result;
  }

  /** Inline code of a page, at its positions in the page. */
  #insidePage(path: string, html: string, { code }: PageContents): TypeScript.SourceFile[] {
    if (code.length === 0) return [];
    let text = html.replace(/[^\n]/g, " ");
    for (const { start, end } of code)
      text = `${text.slice(0, start - 1)};${html.slice(start, end)};${text.slice(end + 1)}`;
    return [this.parse(path, text)];
  }

  /** Strings in a script, including concatenations. */
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
    visit(file); // A second pass resolves names used before their declaration.
    return found;
  }

  /** Adds imported files of the extension. */
  withImports(first: readonly TypeScript.SourceFile[]): readonly TypeScript.SourceFile[] {
    const all = new Map(first.map((file) => [file.fileName, file]));
    for (const file of all.values())
      for (const { text, pos, end } of this.#imports(file)) {
        const address = withoutQuery(text);
        const path = address.startsWith("/")
          ? join(dirname(this.#input.file), address)
          : join(dirname(file.fileName), address);
        if (![path, `${path}.js`, `${path}.ts`].some((each) => this.#addTo(all, each)))
          this.#missing(text, { file: file.fileName, start: pos, end });
      }
    return [...all.values()];
  }

  /** False if there is no such file. */
  #addTo(files: Map<string, TypeScript.SourceFile>, path: string): boolean {
    if (files.has(path)) return true;
    const text = this.#text(path);
    if (text !== undefined) files.set(path, this.parse(path, text));
    return text !== undefined;
  }

  #imports(file: TypeScript.SourceFile): { text: string; pos: number; end: number }[] {
    const { ts } = this.#input;
    const called: { text: string; pos: number; end: number }[] = [];
    const visit = (node: TypeScript.Node): void => {
      if (ts.isCallExpression(node) && isLoading(ts, node))
        for (const each of node.arguments)
          if (ts.isStringLiteralLike(each) && isOfExtension(node, each.text))
            called.push({ text: each.text, pos: each.getStart(), end: each.end });
          else if (ts.isCallExpression(each) && /\.getURL$/.test(each.expression.getText()))
            for (const name of each.arguments)
              if (ts.isStringLiteralLike(name))
                called.push({ text: join("/", name.text), pos: name.getStart(), end: name.end });
      ts.forEachChild(node, visit);
    };
    visit(file);
    const declared = file.statements.flatMap((statement) => {
      if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
      const { moduleSpecifier } = statement;
      if (!moduleSpecifier || !ts.isStringLiteral(moduleSpecifier)) return [];
      return /^[./]/.test(moduleSpecifier.text) // sound: test/languages/webextension/manifest.test.ts
        ? [{ text: moduleSpecifier.text, pos: moduleSpecifier.getStart(), end: moduleSpecifier.end }]
        : [];
    });
    return [...declared, ...called];
  }

  #text(path: string): string | undefined {
    return this.#input.readFile(path);
  }

  /** Refuses the extension: a part that may leak is not analysed. */
  refuse(message: string, span: Span): void {
    this.#report({
      code: "webextension/unread",
      severity: "error",
      message,
      span,
      hint: "parts that are not read may leak: a verdict would not cover them",
    });
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

const folderOf = (base: string): string => base.replace(/[^/]*$/, "");

/** `import(…)`, `importScripts(…)`, `require(…)`. */
export const isLoading = (ts: typeof TypeScript, { expression }: TypeScript.CallExpression): boolean =>
  expression.kind === ts.SyntaxKind.ImportKeyword ||
  /^((self|globalThis)\.)?(importScripts|require)$/.test(expression.getText());

/** False for packages and absolute addresses. */
export const isOfExtension = ({ expression }: TypeScript.CallExpression, name: string): boolean =>
  !/^([a-z]+:|\/\/)/i.test(name) && (/^[./]/.test(name) || expression.getText().endsWith("importScripts")); // sound: test/languages/webextension/manifest.test.ts

export function placeOf(text: string, part: string): { readonly start: number; readonly end: number } {
  const start = Math.max(0, text.indexOf(`"${part}"`));
  return { start, end: start + part.length + 2 };
}

const kindOf = (ts: typeof TypeScript, path: string): TypeScript.ScriptKind =>
  /\.tsx?$/i.test(path) ? ts.ScriptKind.TS : ts.ScriptKind.JS;

/** `help.html?part=2`, but not an absolute address. */
export const isPage = (text: string): boolean => /^[^:<>\n]+\.x?html?([?#].*)?$/i.test(text);
export const isScript = (text: string): boolean => /^[^:<>*\n]+\.[cm]?js([?#].*)?$/i.test(text);
export const withoutQuery = (address: string): string => address.replace(/[?#].*$/, "");
