/** Values of YAML with their positions. Anchors, aliases and merge keys are resolved. */
import {
  LineCounter,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  type Document,
  type Node,
  type Pair,
} from "yaml";
import type { Diagnostic, Span } from "../../model/index.js";

export type Value = { readonly span: Span } & (
  | { readonly kind: "map"; readonly entries: readonly Entry[] }
  | { readonly kind: "list"; readonly items: readonly Value[] }
  | { readonly kind: "scalar"; readonly value: string | number | boolean | null }
);

export interface Entry {
  readonly key: string;
  readonly keySpan: Span;
  readonly value: Value;
}

export interface ParsedDocument {
  readonly root: Value | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

const MOST_VALUES = 100_000;
const DEEPEST = 100;

export function parseYaml(file: string, text: string): ParsedDocument {
  const at = (start: number, end: number): Span => ({
    file,
    start,
    end: Math.max(start, Math.min(end, text.length)),
  });
  const problem = (span: Span, message: string): Diagnostic => ({
    code: "compose/syntax",
    severity: "error",
    message,
    span,
  });
  if (isTooDeep(text))
    return {
      root: undefined,
      diagnostics: [problem(at(0, 0), `values are nested more than ${DEEPEST} deep`)],
    };
  const document = parseDocument(text, { merge: true, lineCounter: new LineCounter(), prettyErrors: false });
  const diagnostics = document.errors.map(({ message, pos }) => problem(at(pos[0], pos[1]), message));
  if (diagnostics.length > 0) return { root: undefined, diagnostics: diagnostics.slice(0, 20) };
  try {
    return { root: new Reading(document, at).value(document.contents, 0), diagnostics: [] };
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    return { root: undefined, diagnostics: [problem(error.span, error.message)] };
  }
}

/** Before the reader, which recurses: indentation that grows, and brackets. */
function isTooDeep(text: string): boolean {
  let brackets = 0;
  for (const line of text.split("\n")) {
    const indent = /^[\s-]*/.exec(line)?.[0].replaceAll("\t", " ") ?? "";
    if (indent.split("-").length > DEEPEST || indent.length > 20 * DEEPEST) return true;
    for (const sign of line) {
      if (sign === "[" || sign === "{") brackets++;
      if (sign === "]" || sign === "}") brackets = Math.max(0, brackets - 1);
      if (brackets > DEEPEST) return true;
    }
    if ((line.match(/[?:]\s/g) ?? []).length > 10 * DEEPEST) return true;
  }
  return false;
}

class Mistake extends Error {
  constructor(
    readonly span: Span,
    message: string,
  ) {
    super(message);
  }
}

class Reading {
  readonly #document: Document;
  readonly #at: (start: number, end: number) => Span;
  #count = 0;

  constructor(document: Document, at: (start: number, end: number) => Span) {
    this.#document = document;
    this.#at = at;
  }

  value(node: Node | null | undefined, depth: number): Value {
    const span = this.#spanOf(node);
    if (++this.#count > MOST_VALUES || depth > DEEPEST)
      throw new Mistake(span, "the file has too many values");
    if (isAlias(node)) {
      const target = node.resolve(this.#document);
      if (!target) throw new Mistake(span, `there is no anchor '${node.source}'`);
      return this.value(target, depth + 1);
    }
    if (isMap(node)) {
      const entries = new Map<string, Entry>();
      for (const pair of node.items) this.#entry(pair as Pair<Node, Node | null>, depth, entries);
      return { kind: "map", entries: [...entries.values()], span };
    }
    if (isSeq(node))
      return { kind: "list", items: node.items.map((item) => this.value(item as Node, depth + 1)), span };
    const value: unknown = isScalar(node) ? node.value : null;
    const isPlain = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
    return { kind: "scalar", value: isPlain ? value : null, span };
  }

  /** Entries that are written win over merged ones. */
  #entry({ key, value }: Pair<Node, Node | null>, depth: number, entries: Map<string, Entry>): void {
    const keySpan = this.#spanOf(key);
    // With merging, the reader makes a symbol of the key `<<`.
    const name = isScalar(key) ? (typeof key.value === "symbol" ? "<<" : String(key.value)) : undefined;
    if (name === undefined) throw new Mistake(keySpan, "a key is a word");
    const read = this.value(value, depth + 1);
    if (name !== "<<") {
      entries.set(name, { key: name, keySpan, value: read });
      return;
    }
    for (const merged of read.kind === "list" ? read.items : [read])
      for (const entry of merged.kind === "map" ? merged.entries : [])
        if (!entries.has(entry.key)) entries.set(entry.key, entry);
  }

  #spanOf(node: Node | null | undefined): Span {
    const range = node?.range;
    return range ? this.#at(range[0], range[1]) : this.#at(0, 0);
  }
}
