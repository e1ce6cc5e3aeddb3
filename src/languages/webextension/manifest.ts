/** Finds the parts of an extension: scripts and pages of its manifest, scripts of pages, imports of scripts. */
import { basename, dirname, join, relative } from "node:path";
import type TypeScript from "typescript";
import type { Sources, Span } from "../../model/diagnostic.js";
import type { Report } from "../toolkit/diagnostics.js";
import { contentsOf, type PageContents } from "./html.js";
import { fetchesByPage, whyUnread } from "./unread.js";

export interface ExtensionInput {
  /** The manifest, or a single script. */
  readonly file: string;
  readonly text: string;
  readFile(path: string): string | undefined;
  readonly sources: Sources;
  /** The caller loads the compiler on demand. */
  readonly ts: typeof TypeScript;
}

/** Scripts that run together and share variables. */
export interface Component {
  /** Name of the principal: `Background`, `Content`. */
  readonly name: string;
  readonly scripts: readonly TypeScript.SourceFile[];
  /** One page for normal and private windows, with shared variables. */
  readonly sharesVariables: boolean;
  readonly isPage?: boolean;
  readonly sendsForms?: boolean;
  readonly showsOthers?: boolean;
}

export interface Extension {
  readonly name: string;
  readonly components: readonly Component[];
  /** The extension does not run in private windows. */
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

export function readExtension(input: ExtensionInput, report: Report): Extension {
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
  // Firefox lacks split mode and runs one instance for all windows.
  const isSplit = manifest.incognito === "split" && !isForFirefox(manifest); // sound: test/languages/webextension/manifest.test.ts
  const component = (
    name: string,
    files: readonly string[],
    sharesVariables: boolean,
    more: readonly TypeScript.SourceFile[] = [],
  ): Component[] =>
    files.length + more.length === 0
      ? []
      : [
          {
            name,
            scripts: scripts.withImports([...files.flatMap((file) => scripts.read(file)), ...more]),
            sharesVariables,
          },
        ];
  for (const { name, message } of whyUnread(manifest, (path) => scripts.text(path)))
    scripts.refuse(message, { file: input.file, ...placeOf(input.text, name) });
  const { background } = manifest;
  const contents = Array.isArray(manifest.content_scripts) ? (manifest.content_scripts as unknown[]) : [];
  const first = [
    ...component(
      "Background",
      [...texts(background?.scripts), ...texts(background?.service_worker)],
      !isSplit,
      texts(background?.page).flatMap((page) => scripts.ofPage(page).files),
    ),
    // Each tab has a separate instance.
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
  for (const [key, name] of filesNamedIn(manifest))
    if (isPage(name))
      pages.open(name, nameOfPage(key), true); // sound: test/languages/webextension/manifest.test.ts
    else pages.inject(name); // sound: test/languages/webextension/manifest.test.ts
  for (const page of backgroundPages) pages.openLinked(page);
  for (const { scripts: all } of first) pages.follow(all);
  return {
    name: typeof manifest.name === "string" ? manifest.name : basename(dirname(input.file)),
    isKeptOut: manifest.incognito === "not_allowed",
    components: [...first, ...pages.components],
  };
}

/** Pages and scripts under any key of the manifest: browsers add keys with every version. */
function filesNamedIn(manifest: Manifest): (readonly [key: string, file: string])[] {
  const files: (readonly [string, string])[] = [];
  const visit = (key: string, value: unknown): void => {
    if (typeof value === "string" && (isPage(value) || isScript(value)) && !value.includes("*"))
      files.push([key, value]);
    else if (typeof value === "object" && value !== null)
      for (const [inner, each] of Object.entries(value)) visit(Array.isArray(value) ? key : inner, each);
  };
  for (const [key, value] of Object.entries(manifest))
    if (key !== "background" && key !== "content_scripts") visit(key, value);
  return files;
}

const isForFirefox = ({ browser_specific_settings: specific, applications }: Manifest): boolean =>
  [specific, applications].some(
    (each) =>
      typeof each === "object" && each !== null && Object.keys(each).some((key) => key.startsWith("gecko")),
  );

/** `help.html?part=2`, but not an absolute address. */
export const isPage = (text: string): boolean => /^[^:<>\n]+\.x?html?([?#].*)?$/i.test(text);
export const isScript = (text: string): boolean => /^[^:<>*\n]+\.[cm]?js([?#].*)?$/i.test(text);
const withoutQuery = (address: string): string => address.replace(/[?#].*$/, "");

const nameOfPage = (key: string): string =>
  ({
    default_popup: "Popup",
    page: "Options",
    options_page: "Options",
    default_panel: "Sidebar",
    default_path: "Panel",
  })[key] ?? "Page";

/** Pages as components, including linked pages and pages named in their scripts. */
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

  /** `isNamed`: listed in the manifest. */
  open(page: string, name: string, isNamed: boolean): void {
    const path = join("/", withoutQuery(page)).slice(1);
    if (this.#seen.has(path) || (!isNamed && !this.#scripts.has(path))) return;
    this.#seen.add(path);
    const { files: own, sendsForms, showsOthers } = this.#scripts.ofPage(path);
    const files = this.#scripts.withImports(own);
    if (files.length > 0)
      this.components.push({
        name: this.#free(name),
        scripts: files,
        sharesVariables: this.#sharesVariables,
        isPage: true,
        sendsForms,
        showsOthers,
      });
    this.openLinked(path);
    this.follow(files);
  }

  openLinked(page: string): void {
    for (const linked of this.#scripts.ofPage(page).links) this.open(linked, "Page", false); // sound: test/languages/webextension/manifest.test.ts
  }

  /** Follows strings in scripts that name a page or script of the extension, which may be opened or injected. */
  follow(files: readonly TypeScript.SourceFile[]): void {
    for (const file of files)
      for (const text of this.#scripts.textsIn(file)) {
        const places = [text, join(dirname(this.#scripts.relative(file.fileName)), text)];
        if (isPage(text)) for (const place of places) this.open(place, "Page", false); // sound: test/languages/webextension/manifest.test.ts
        if (isScript(text)) for (const place of places) this.inject(place);
        if (/\.css$/i.test(text)) for (const place of places) this.#style(place, file, text);
      }
  }

  #style(sheet: string, { fileName: file, text: script }: TypeScript.SourceFile, name: string): void {
    if (!fetchesByPage(this.#scripts.text(join("/", sheet).slice(1)) ?? "")) return;
    const start = Math.max(0, script.indexOf(name));
    this.#scripts.refuse(`which pages make '${name}' fetch something is not followed`, {
      file,
      start,
      end: start + name.length,
    }); // sound: test/languages/webextension/manifest.test.ts
  }

  inject(script: string): void {
    const path = join("/", withoutQuery(script)).slice(1);
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

function parseManifest({ file, text }: ExtensionInput, report: Report): Manifest {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value as Manifest;
    throw new Error("it is not an object");
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
    if (contents.unread.length > 0) this.#input.sources.add(path, html!);
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

function placeOf(text: string, part: string): { readonly start: number; readonly end: number } {
  const start = Math.max(0, text.indexOf(`"${part}"`));
  return { start, end: start + part.length + 2 };
}

const kindOf = (ts: typeof TypeScript, path: string): TypeScript.ScriptKind =>
  /\.tsx?$/i.test(path) ? ts.ScriptKind.TS : ts.ScriptKind.JS;
