/** Debug information of LLVM's intermediate representation: positions in the source, and names of variables. */
import { resolve } from "node:path";
import type { Place } from "../model/module.js";

/** Texts of source files by name; undefined: the file cannot be read. */
export type SourceText = (file: string) => string | undefined;

export class DebugInfo {
  readonly #nodes = new Map<string, string>();
  readonly #spans = new Map<string, Place | undefined>();
  readonly #lineStarts = new Map<string, readonly number[] | undefined>();
  readonly #source: SourceText;
  readonly #main: string;

  /** `lines`: lines that begin with `!`; `main`: the name of the compiled file. */
  constructor(lines: readonly string[], source: SourceText, main: string) {
    this.#source = source;
    this.#main = main;
    for (const line of lines) {
      const [, id, text] = /^!(\d+) = (.*)$/.exec(line) ?? [];
      if (id !== undefined && text !== undefined) this.#nodes.set(id, text);
    }
  }

  /** The span of a location or of the line of a function. */
  span(id: string | undefined): Place | undefined {
    if (id === undefined) return undefined;
    const known = this.#spans.get(id);
    if (known || this.#spans.has(id)) return known;
    const span = this.#locate(id);
    this.#spans.set(id, span);
    return span;
  }

  variable(id: string | undefined): string | undefined {
    return /\bname: "([^"]*)"/.exec(this.#nodes.get(id ?? "") ?? "")?.[1];
  }

  #locate(id: string): Place | undefined {
    const text = this.#nodes.get(id) ?? "";
    const line = Number(/\bline: (\d+)/.exec(text)?.[1] ?? 0);
    const column = Number(/\bcolumn: (\d+)/.exec(text)?.[1] ?? 1);
    const file = this.#fileOf(id);
    if (file === undefined || line === 0) return undefined;
    const start = this.#lines(file)?.[line - 1];
    if (start === undefined) return { file, line, start: 0, end: 0 };
    const offset = start + Math.max(0, column - 1);
    return { file, line, start: offset, end: offset };
  }

  #fileOf(id: string): string | undefined {
    let at: string | undefined = id;
    for (let depth = 0; at !== undefined && depth < MOST_SCOPES; depth++) {
      const text: string = this.#nodes.get(at) ?? "";
      const file = /\bfile: !(\d+)/.exec(text)?.[1];
      if (file !== undefined) return this.#named(this.#nodes.get(file) ?? "");
      at = /\bscope: !(\d+)/.exec(text)?.[1];
    }
    return undefined;
  }

  /** Clang abbreviates names relative to its folder. */
  #named(node: string): string | undefined {
    const name = /filename: "([^"]*)"/.exec(node)?.[1];
    if (name === undefined) return undefined;
    const whole = resolve(/directory: "([^"]*)"/.exec(node)?.[1] ?? "", name);
    return whole === resolve(this.#main) ? this.#main : whole;
  }

  #lines(file: string): readonly number[] | undefined {
    if (this.#lineStarts.has(file)) return this.#lineStarts.get(file);
    const text = this.#source(file);
    const starts = text === undefined ? undefined : [0];
    if (text !== undefined)
      for (let i = text.indexOf("\n"); i >= 0; i = text.indexOf("\n", i + 1)) starts?.push(i + 1);
    this.#lineStarts.set(file, starts);
    return starts;
  }
}

const MOST_SCOPES = 1000;
