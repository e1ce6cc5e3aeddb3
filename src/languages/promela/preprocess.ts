/**
 * The C preprocessor that Promela models use: definitions, conditions, inclusion.
 *
 * In: a file's text. Out: its tokens with macros expanded, each with a position in the user's text (`macros.ts`).
 * Collects lines up to the next directive, and expands them with the current definitions.
 */
import type { Sources } from "../../model/diagnostic.js";
import type { Report } from "../toolkit/diagnostics.js";
import { evaluateCondition } from "./condition.js";
import { lex } from "./lexer.js";
import { MacroExpander, type Macro, type MacroUses } from "./macros.js";
import type { Remark } from "./remarks.js";
import type { Token } from "./token.js";
import { nth } from "../../model/known.js";

export interface PreprocessInput {
  readonly file: string;
  readonly text: string;
  readonly defines: readonly { readonly name: string; readonly value?: string }[];
  /** Text of an included file, by its path relative to the current directory; undefined if there is none. */
  readFile(path: string): string | undefined;
  readonly sources: Sources;
}

export interface Preprocessed {
  readonly tokens: Token[];
  readonly macroUses: MacroUses;
  readonly macros: ReadonlyMap<string, Macro>;
  /** Remarks in the active branches of conditions. */
  readonly remarks: readonly Remark[];
}

export function preprocess(input: PreprocessInput, report: Report): Preprocessed {
  const preprocessor = new Preprocessor(input, report);
  for (const { name, value } of input.defines) preprocessor.defineFromCommandLine(name, value ?? "1");
  preprocessor.file(input.file, input.text);
  const { uses: macroUses, macros, isTooLarge } = preprocessor.macros;
  const { remarks, output } = preprocessor;
  return { tokens: isTooLarge ? [] : output, macroUses, macros, remarks };
}

/** The limit of GCC's preprocessor. */
const MAX_INCLUDE_DEPTH = 200;

/** Limit on all inclusions, including repeated ones. */
const MAX_INCLUDED = 10_000;

/** An open `#if`. `taken`: a branch has been chosen. */
interface Conditional {
  readonly opened: Token;
  readonly isOuterActive: boolean;
  isActive: boolean;
  taken: boolean;
  sawElse: boolean;
}

class Preprocessor {
  readonly output: Token[] = [];
  readonly remarks: Remark[] = [];
  readonly macros: MacroExpander;
  /** Files being read, with the macros at their start. */
  readonly #including: { readonly path: string; readonly macros: ReadonlyMap<string, Macro> }[] = [];
  #included = 0;
  #conditionals: Conditional[] = [];
  #text: Token[] = [];

  constructor(
    readonly input: PreprocessInput,
    readonly report: Report,
  ) {
    this.macros = new MacroExpander(report);
  }

  defineFromCommandLine(name: string, value: string): void {
    this.macros.define({ name, body: lex(COMMAND_LINE, value, this.report) });
    this.input.sources.add(COMMAND_LINE, value);
  }

  file(file: string, text: string): void {
    this.input.sources.add(file, text);
    this.#including.push({ path: file, macros: new Map(this.macros.macros) });
    const outer = this.#conditionals;
    this.#conditionals = [];
    const found: Remark[] = [];
    const tokens = lex(file, text, this.report, (remark) => found.push(remark));
    const takeRemarks = (end: number): void => {
      for (; found[0] && found[0].span.start < end; found.shift())
        if (this.#isActive()) this.remarks.push(found[0]);
    };
    for (let i = 0; i < tokens.length;) {
      const token = nth(tokens, i);
      takeRemarks(token.startOffset);
      if (token.is("#") && token.newlineBefore) {
        const end = endOfLine(tokens, i);
        this.#directive(tokens.slice(i, end));
        i = end;
      } else {
        if (this.#isActive()) this.#push(token);
        i++;
      }
    }
    takeRemarks(Infinity);
    this.#flush();
    for (const { opened } of this.#conditionals)
      this.#error("unclosed-conditional", "`#endif` is missing", opened);
    this.#conditionals = outer;
    this.#including.pop();
  }

  #push(token: Token): void {
    if (token.problem) this.report(token.problem);
    this.#text.push(token);
  }

  #isActive(): boolean {
    return this.#conditionals.at(-1)?.isActive ?? true;
  }

  #flush(): void {
    if (this.#text.length === 0) return;
    for (const token of this.macros.expand(this.#text)) this.output.push(token);
    this.#text = [];
  }

  #directive(line: readonly Token[]): void {
    const [, name, ...rest] = line;
    if (!name || name.lexical === "number") return; // `#` alone, and `# 12 "file"` of another preprocessor
    this.#flush();
    if (CONDITIONALS.has(name.image)) return this.#conditional(name, rest);
    if (!this.#isActive()) return;
    switch (name.image) {
      case "define":
        return this.#define(name, rest);
      case "undef":
        return this.#undefine(name, rest);
      case "include":
        return this.#include(name, rest);
      case "error":
        return this.#error("error-directive", `#error ${textOf(rest)}`, name);
      case "warning":
        return this.#warn("warning-directive", `#warning ${textOf(rest)}`, name);
      case "pragma":
      case "line":
      case "ident":
        return;
      default:
        this.#error("unknown-directive", `unknown preprocessor directive \`#${name.image}\``, name);
    }
  }

  #define(directive: Token, [name, ...rest]: readonly Token[]): void {
    if (name?.lexical !== "identifier") return this.#needsName(directive, name);
    const parameters = rest[0]?.is("(") && !rest[0].spaceBefore ? this.#parameters(rest) : undefined;
    if (parameters === "malformed") return;
    const body = parameters ? rest.slice(parameters.end) : rest;
    this.macros.define({ name: name.image, parameters: parameters?.names, body, definedAt: name.span });
  }

  /** The parameter names, and the start of the body. */
  #parameters(rest: readonly Token[]): { names: string[]; end: number } | "malformed" {
    const names: string[] = [];
    for (let i = 1; i < rest.length; i++) {
      const token = nth(rest, i);
      const expectsName = i % 2 === 1;
      if (token.is(")") && (!expectsName || i === 1)) return { names, end: i + 1 };
      if (expectsName && token.lexical === "identifier") names.push(token.image);
      else if (expectsName || !token.is(",")) {
        this.#error("macro-parameters", `expected a parameter name, found \`${token.image}\``, token);
        return "malformed";
      }
    }
    this.#error("macro-parameters", "the parameter list is not closed on its line", nth(rest, 0));
    return "malformed";
  }

  #undefine(directive: Token, [name]: readonly Token[]): void {
    if (name?.lexical !== "identifier") return this.#needsName(directive, name);
    this.macros.undefine(name.image);
  }

  #include(directive: Token, rest: readonly Token[]): void {
    const expanded = this.macros.expand(rest);
    const target = expanded[0];
    if (target?.is("<")) {
      return this.#error(
        "system-include",
        "system headers do not exist in Promela",
        target,
        'write `#include "file"`',
      );
    }
    if (target?.lexical !== "string") {
      return this.#error("malformed-include", 'expected `#include "file"`', target ?? directive);
    }
    const path = resolvePath(target.span.file, target.image.slice(1, -1));
    if (this.#isRecursive(path)) return this.#error("include-cycle", `\`${path}\` includes itself`, target);
    if (this.#included++ >= MAX_INCLUDED) {
      if (this.#included > MAX_INCLUDED + 1) return;
      return this.#error("include-cycle", `more than ${MAX_INCLUDED} files are included`, target);
    }
    const text = this.input.readFile(path);
    if (text === undefined) return this.#error("include-not-found", `cannot read \`${path}\``, target);
    this.file(path, text);
  }

  /**
   * Whether the inclusion is recursive with unchanged macros. A file that has since defined a macro may have an include
   * guard, as in C: it is read again, up to the nesting limit.
   */
  #isRecursive(path: string): boolean {
    if (this.#including.length >= MAX_INCLUDE_DEPTH) return true;
    return this.#including.some((open) => open.path === path && isSameTable(open.macros, this.macros.macros));
  }

  #conditional(name: Token, rest: readonly Token[]): void {
    if (name.image.startsWith("if")) return this.#open(name, rest);
    const open = this.#conditionals.at(-1);
    if (!open) return this.#error("unmatched-conditional", `\`#${name.image}\` without \`#if\``, name);
    if (name.image === "endif") {
      this.#conditionals.pop();
      return;
    }
    if (open.sawElse) return this.#error("unmatched-conditional", `\`#${name.image}\` after \`#else\``, name);
    open.sawElse = name.image === "else";
    open.isActive = open.isOuterActive && !open.taken && (open.sawElse || this.#holds(name, rest));
    open.taken ||= open.isActive;
  }

  #open(name: Token, rest: readonly Token[]): void {
    const isOuterActive = this.#isActive();
    const isActive = isOuterActive && this.#holds(name, rest);
    this.#conditionals.push({ opened: name, isOuterActive, isActive, taken: isActive, sawElse: false });
  }

  #holds(directive: Token, rest: readonly Token[]): boolean {
    if (directive.image === "ifdef" || directive.image === "ifndef") {
      const [name] = rest;
      if (name?.lexical !== "identifier") {
        this.#needsName(directive, name);
        return false;
      }
      return (this.macros.get(name.image) !== undefined) === (directive.image === "ifdef");
    }
    const value = evaluateCondition(this.macros.expand(this.#replaceDefined(rest)));
    if (typeof value === "number") return value !== 0;
    this.#error(
      "bad-condition",
      `bad \`#${directive.image}\` condition: ${value.message}`,
      value.token ?? directive,
    );
    return false;
  }

  /** Replaces `defined X` and `defined(X)` before the macros in the condition are expanded. */
  #replaceDefined(tokens: readonly Token[]): Token[] {
    const out: Token[] = [];
    for (let i = 0; i < tokens.length; i++) {
      const token = nth(tokens, i);
      const isCall = tokens[i + 1]?.is("(") && tokens[i + 3]?.is(")");
      const name = tokens[isCall ? i + 2 : i + 1];
      if (!token.is("defined") || name?.lexical !== "identifier") {
        out.push(token);
        continue;
      }
      const answer = this.macros.get(name.image) ? "1" : "0";
      out.push(...lex(token.span.file, answer, this.report).map((digit) => digit.at(token.span, token.span)));
      i += isCall ? 3 : 1;
    }
    return out;
  }

  #needsName(directive: Token, found: Token | undefined): void {
    this.#error("malformed-directive", `\`#${directive.image}\` needs a name`, found ?? directive);
  }

  #error(code: string, message: string, at: Token, hint?: string): void {
    this.report({ code: `promela/${code}`, severity: "error", message, span: at.span, hint });
  }

  #warn(code: string, message: string, at: Token): void {
    this.report({ code: `promela/${code}`, severity: "warning", message, span: at.span });
  }
}

const COMMAND_LINE = "<command line>";
const CONDITIONALS = new Set(["if", "ifdef", "ifndef", "elif", "else", "endif"]);

function endOfLine(tokens: readonly Token[], start: number): number {
  let end = start + 1;
  while (end < tokens.length && !nth(tokens, end).newlineBefore) end++;
  return end;
}

const textOf = (tokens: readonly Token[]): string => tokens.map((t) => t.image).join(" ");

/** Resolves `name` against the folder of `from`, including `.` and `..`; uses forward slashes. */
function resolvePath(from: string, name: string): string {
  const isAbsolute = name.startsWith("/");
  const folder = isAbsolute ? [] : from.split("/").slice(0, -1);
  const parts: string[] = [];
  for (const part of [...folder, ...name.split("/")]) {
    if (part === ".." && parts.length > 0 && parts.at(-1) !== ".." && parts.at(-1) !== "") parts.pop();
    else if (part !== "." && (part !== "" || parts.length === 0)) parts.push(part);
  }
  if (isAbsolute && parts[0] !== "") parts.unshift("");
  return parts.join("/");
}

const isSameTable = (a: ReadonlyMap<string, Macro>, b: ReadonlyMap<string, Macro>): boolean =>
  a.size === b.size && [...a].every(([name, macro]) => isSameMacro(macro, b.get(name)));

function isSameMacro(a: Macro, b: Macro | undefined): boolean {
  if (!b || a === b) return a === b;
  const textOf = ({ parameters, body }: Macro): string =>
    JSON.stringify([parameters, body.map(({ image }) => image)]);
  return textOf(a) === textOf(b);
}
