/** Open documents, and positions: the protocol counts lines and UTF-16 columns from 0, spans count offsets. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Input } from "../session/index.js";

export interface LspPosition {
  readonly line: number;
  readonly character: number;
}

export interface LspRange {
  readonly start: LspPosition;
  readonly end: LspPosition;
}

export interface TextDocument {
  readonly uri: string;
  /** The editor's name of the language. */
  readonly languageId: string;
  readonly version: number;
  readonly text: string;
}

/** The open documents; other files are read from disk. */
export class Documents {
  readonly #open = new Map<string, TextDocument>();

  set(document: TextDocument): void {
    this.#open.set(document.uri, document);
  }

  close(uri: string): void {
    this.#open.delete(uri);
  }

  get(uri: string): TextDocument | undefined {
    return this.#open.get(uri);
  }

  all(): readonly TextDocument[] {
    return [...this.#open.values()];
  }

  input({ uri, text }: TextDocument): Input {
    return { file: fileOf(uri), text, readFile: (path) => this.#textOf(path) };
  }

  /** The text of an open document counts before the file on disk. */
  #textOf(path: string): string | undefined {
    for (const document of this.#open.values()) if (fileOf(document.uri) === path) return document.text;
    try {
      return readFileSync(path, "utf8");
    } catch {
      return undefined;
    }
  }
}

export function fileOf(uri: string): string {
  try {
    return fileURLToPath(uri);
  } catch {
    // A text that is not saved yet: its name may still tell the language.
    return basename(uri);
  }
}

export const uriOf = (file: string): string => pathToFileURL(file).href;

/** Converts offsets in one text. */
export class Lines {
  readonly #starts: readonly number[];
  readonly #length: number;

  constructor(text: string) {
    const starts = [0];
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
    this.#starts = starts;
    this.#length = text.length;
  }

  position(offset: number): LspPosition {
    const bounded = Math.max(0, Math.min(offset, this.#length));
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= bounded) low = middle;
      else high = middle - 1;
    }
    return { line: low, character: bounded - (this.#starts[low] ?? 0) };
  }

  range(start: number, end: number): LspRange {
    return { start: this.position(start), end: this.position(Math.max(start, end)) };
  }

  /** Positions outside the text count as the nearest inside. */
  offset({ line, character }: LspPosition): number {
    if (line < 0) return 0;
    const start = this.#starts[line];
    if (start === undefined) return this.#length;
    const next = this.#starts[line + 1] ?? this.#length + 1;
    return Math.min(start + Math.max(0, character), next - 1);
  }
}
