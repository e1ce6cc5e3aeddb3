/** Reads definitions and the files that they name. */
import { hasErrors, type Diagnostic, type Span } from "../../model/index.js";
import { errorsTo, type ReportError } from "../toolkit/diagnostics.js";
import { parseXml } from "../toolkit/xml.js";
import type { Definition, Types } from "./ast.js";
import { Elements } from "./elements.js";

export interface FileAccess {
  readonly readFile: (path: string) => string | undefined;
  readonly addSource: (file: string, text: string) => void;
}

/** Definitions by name, each read once. */
export class Definitions {
  readonly types: Types = new Map();
  readonly diagnostics: Diagnostic[] = [];
  readonly error: ReportError = errorsTo((diagnostic) => void this.diagnostics.push(diagnostic));
  readonly #access: FileAccess;
  readonly #known = new Map<string, Definition | undefined>();

  constructor(access: FileAccess) {
    this.#access = access;
  }

  /** `components.C` is `components/C.fractal`, `components.C.fractal` or `C.fractal` beside the file that names it. */
  named(name: string, span: Span): Definition | undefined {
    if (this.#known.has(name)) return this.#known.get(name);
    const last = name.slice(name.lastIndexOf(".") + 1);
    const paths = [`${name.replaceAll(".", "/")}.fractal`, `${name}.fractal`, `${last}.fractal`];
    for (const path of new Set(paths)) {
      const file = besides(span.file, path);
      const text = this.#access.readFile(file);
      if (text === undefined) continue;
      this.#access.addSource(file, text);
      const read = this.parse(file, text);
      this.#known.set(name, read);
      return read;
    }
    this.#known.set(name, undefined);
    this.error(
      "fractal/file",
      span,
      `there is no definition '${name}'`,
      `write it to ${besides(span.file, `${last}.fractal`)}`,
    );
    return undefined;
  }

  parse(file: string, text: string): Definition | undefined {
    const { root, diagnostics } = parseXml(file, text, "fractal/syntax");
    this.diagnostics.push(...diagnostics);
    if (!root) return undefined;
    if (root.name !== "definition") {
      this.error(
        "fractal/not-definition",
        root.span,
        `the outermost element is \`<${root.name}>\`, not \`<definition>\``,
      );
      return undefined;
    }
    const deep = tooDeep(root);
    if (deep) {
      this.error("fractal/too-deep", deep.span, "components are nested more than 50 deep");
      return undefined;
    }
    const here = {
      types: this.types,
      textOf: (path: string, span: Span) => this.textOf(path, span),
    };
    return new Elements(this.error, here).definition(root);
  }

  textOf(path: string, span: Span): { readonly file: string; readonly text: string } | undefined {
    const file = besides(span.file, path);
    const text = this.#access.readFile(file);
    if (text === undefined) {
      this.error("fractal/file", span, `cannot read '${file}'`);
      return undefined;
    }
    this.#access.addSource(file, text);
    return { file, text };
  }

  get isWrong(): boolean {
    return hasErrors(this.diagnostics);
  }
}

const DEEPEST = 50;

interface Nested {
  readonly children: readonly Nested[];
  readonly span: Span;
}

function tooDeep(root: Nested): Nested | undefined {
  let level: readonly Nested[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) return level[0];
    level = level.flatMap(({ children }) => children);
  }
  return undefined;
}

const besides = (file: string, path: string): string =>
  path.startsWith("/") ? path : `${file.slice(0, file.lastIndexOf("/") + 1)}${path}`;
