/**
 * Positions in the user's text, and diagnostics.
 *
 * A `Span` counts UTF-16 offsets into the file as written, before macro expansion and inlining. Line and column are
 * computed only for printing.
 */

import { nth } from "./known.js";
export interface Span {
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

export type Severity = "error" | "warning" | "note";

export interface Diagnostic {
  /** Stable, `language/name`: tests and documentation refer to it. */
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly span: Span;
  /** Remedy for the user. */
  readonly hint?: string;
  readonly notes?: readonly { readonly span: Span; readonly message: string }[];
}

/** The texts that spans point into. */
export class Sources {
  readonly #texts = new Map<string, string>();
  readonly #lineStarts = new Map<string, readonly number[]>();

  add(file: string, text: string): void {
    this.#texts.set(file, text);
    this.#lineStarts.delete(file);
  }

  text(file: string): string | undefined {
    return this.#texts.get(file);
  }

  /** Each file and its text. */
  texts(): readonly (readonly [file: string, text: string])[] {
    return [...this.#texts];
  }

  files(): readonly string[] {
    return [...this.#texts.keys()];
  }

  /** One-based line and column of an offset. An unknown file counts as one line. */
  position(file: string, offset: number): Position {
    const starts = this.#starts(file);
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (nth(starts, middle) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - nth(starts, low) + 1 };
  }

  /** The text of a one-based line, without its line break. */
  line(file: string, line: number): string | undefined {
    const text = this.#texts.get(file);
    const start = this.#starts(file)[line - 1];
    if (text === undefined || start === undefined) return undefined;
    const end = text.indexOf("\n", start);
    return text.slice(start, end < 0 ? text.length : end).replace(/\r$/, "");
  }

  #starts(file: string): readonly number[] {
    let starts = this.#lineStarts.get(file);
    if (!starts) {
      starts = lineStarts(this.#texts.get(file) ?? "");
      this.#lineStarts.set(file, starts);
    }
    return starts;
  }
}

export interface Position {
  readonly line: number;
  readonly column: number;
}

export const hasErrors = (diagnostics: readonly Diagnostic[]): boolean =>
  diagnostics.some((d) => d.severity === "error");

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let i = text.indexOf("\n"); i >= 0; i = text.indexOf("\n", i + 1)) starts.push(i + 1);
  return starts;
}
