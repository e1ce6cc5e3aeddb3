/** Source positions of functions, stacks and names. */
import { readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import type { Sources, Span } from "../../model/index.js";
import { isInsideFile, type Place } from "../bundle/index.js";
import type { CodeInspector } from "../heap/index.js";
import { bundleName, type SystemSource } from "./source.js";

export class Places {
  readonly #source: SystemSource;
  readonly #sources: Sources;
  readonly #inspector: CodeInspector;

  constructor(source: SystemSource, sources: Sources, inspector: CodeInspector) {
    this.#source = source;
    this.#sources = sources;
    this.#inspector = inspector;
  }

  ofFunction(code: unknown): Span | undefined {
    if (typeof code !== "function") return undefined;
    const { script, line, column } = this.#inspector.factsOf(code);
    return script === undefined ? undefined : this.#span(this.#source.map.place(line, column));
  }

  /** Positions of user code in a stack, innermost first. */
  ofStack(stack: string): Span[] {
    return [...stack.matchAll(new RegExp(`${bundleName}:(\\d+):(\\d+)`, "g"))].flatMap(([, line, column]) => {
      const place = this.#source.map.place(Number(line), Number(column));
      const span = place && this.#isUsers(place.file) ? this.#span(place) : undefined;
      return span ? [span] : [];
    });
  }

  /** Position of a name in the system file; its beginning if not found. */
  ofName(name: string): Span {
    const { file } = this.#source;
    const text = this.#sources.text(file) ?? "";
    const start = [`"${name}":`, ` ${name}: `, `"${name}"`, `'${name}'`, `${name}(`]
      .filter((written) => text.includes(written))
      .map((written) => text.indexOf(written) + written.indexOf(name))[0];
    return start === undefined ? { file, start: 0, end: 0 } : { file, start, end: start + name.length };
  }

  #isUsers(file: string): boolean {
    const name = relative(this.#source.directory, file);
    return (
      this.#source.files.some((own) => resolve(this.#source.directory, own) === file) &&
      !name.includes("node_modules") &&
      !isInsideFile(file)
    );
  }

  #span(place: Place | undefined): Span | undefined {
    if (!place || !this.#isUsers(place.file)) return undefined;
    const file = this.#nameOf(place.file);
    const text = this.#sources.text(file) ?? this.#add(file, place.file);
    if (text === undefined) return undefined;
    const lines = text.split("\n");
    const before = lines.slice(0, place.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
    const start = before + place.column - 1;
    return { file, start, end: before + (lines[place.line - 1]?.length ?? 0) };
  }

  /** The system file as the user named it; others relative to the working directory. */
  #nameOf(file: string): string {
    if (resolve(this.#source.directory, this.#source.file) === file || resolve(this.#source.file) === file)
      return this.#source.file;
    return relative(process.cwd(), file);
  }

  #add(name: string, file: string): string | undefined {
    try {
      const text = readFileSync(file, "utf8");
      this.#sources.add(name, text);
      return text;
    } catch {
      return undefined;
    }
  }
}
