/**
 * Branching vector addition systems (`.bvas`).
 *
 * In: text. Out: a `Bvas` or diagnostics. A system with one axiom and no binary rule is a vector addition system: the
 * result then has a `Net` as well, which can be simulated and has traces.
 */
import { hasErrors, type Diagnostic, type Span } from "../../model/diagnostic.js";
import type { Bvas, BvasRule } from "../../model/bvas.js";
import { MOST_TOKENS, type Net } from "../../model/net.js";
import { PropertyNames } from "../../model/verdict.js";
import { errorsTo, inTextOrder, type Report, type ReportError } from "../toolkit/diagnostics.js";
import { scan } from "../toolkit/scan.js";
import { netOf } from "./net.js";
import { grammar, type Entry, type Item, type System, type Vector } from "./syntax.js";
import { SCAN_RULES } from "./vocabulary.js";

export { renderBvas } from "./render.js";

export interface LoadedBvas {
  /** Absent if a diagnostic is an error. */
  readonly bvas: Bvas | undefined;
  /** The equivalent net of a vector addition system. */
  readonly net: Net | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export function loadBvas(file: string, text: string): LoadedBvas {
  const scanned = scan(file, text, SCAN_RULES);
  const diagnostics: Diagnostic[] = [...scanned.diagnostics];
  const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  const system = grammar().parseSystem(scanned.tokens, scanned.end, report);
  const bvas =
    system && !hasErrors(diagnostics) ? new Meaning(system, text, report).bvas(scanned.end) : undefined;
  const found = inTextOrder(diagnostics);
  if (!bvas || hasErrors(found)) return { bvas: undefined, net: undefined, diagnostics: found };
  const isVas = bvas.axioms.length === 1 && bvas.binary.length === 0;
  return { bvas, net: isVas ? netOf(bvas) : undefined, diagnostics: found };
}

/** Bounds memory: every vector has an entry per dimension. */
const MOST_DIMENSIONS = 10_000;

class Meaning {
  readonly #system: System;
  readonly #text: string;
  readonly #error: ReportError;
  readonly #numbers = new Map<string, number>();

  constructor(system: System, text: string, report: Report) {
    this.#system = system;
    this.#text = text;
    this.#error = errorsTo(report);
  }

  bvas(end: Span): Bvas | undefined {
    const places = this.#places();
    if (!places) return undefined;
    for (const [number, name] of places.entries()) this.#numbers.set(name, number);
    const rules = (kind: Item["kind"]): BvasRule[] =>
      this.#system.items
        .filter((item) => item.kind === kind)
        .map((item, index) => ({
          name: `${kind} ${index + 1}`,
          vector: this.#vector(item, places.length),
          span: item.span,
        }));
    const targets = rules("target");
    const axioms = rules("axiom");
    if (axioms.length === 0)
      this.#error("bvas/no-axiom", end, "nothing can be derived: there is no axiom", "add axiom (…);");
    const names = new PropertyNames();
    return {
      kind: "bvas",
      name: this.#system.name,
      places,
      axioms,
      unary: rules("unary"),
      binary: rules("binary"),
      properties: targets.map(({ vector, span }) => ({
        name: names.take(this.#text.slice(span.start, span.end).replace(/\s+/g, " ").replace(/ ?;$/, "")),
        kind: "coverability",
        span,
        targets: [vector],
      })),
    };
  }

  #places(): string[] | undefined {
    const { dimensions } = this.#system;
    if (dimensions.kind === "names") {
      const names = dimensions.names.map(({ name }) => name);
      for (const [index, { name, span }] of dimensions.names.entries())
        if (names.indexOf(name) < index)
          this.#error("bvas/duplicate-place", span, `\`${name}\` is declared twice`);
      return names;
    }
    const count = Number(dimensions.count);
    if (count >= 1 && count <= MOST_DIMENSIONS)
      return Array.from({ length: count }, (_, index) => `x${index + 1}`);
    const message = `a system has 1 to ${MOST_DIMENSIONS} dimensions, not ${dimensions.count}`;
    this.#error("bvas/bad-dimension", dimensions.span, message);
    return undefined;
  }

  #vector({ kind, vector }: Item, width: number): number[] {
    const values = Array<number>(width).fill(0);
    if (vector.kind === "dense") {
      if (vector.entries.length !== width) this.#wrongLength(vector, width);
      for (const [index, entry] of vector.entries.entries())
        if (index < width) values[index] = this.#number(entry, kind);
      return values;
    }
    const seen = new Set<string>();
    for (const { place, ...entry } of vector.entries) {
      const number = this.#numbers.get(place.name);
      if (number === undefined)
        this.#error("bvas/unknown-place", place.span, `there is no place \`${place.name}\``);
      else if (seen.has(place.name))
        this.#error("bvas/duplicate-entry", place.span, `\`${place.name}\` is given twice`);
      else values[number] = this.#number(entry, kind);
      seen.add(place.name);
    }
    return values;
  }

  #wrongLength({ entries, span }: Vector, width: number): void {
    const hint = "in { … } what is not named is 0";
    this.#error(
      "bvas/wrong-length",
      span,
      `the vector has ${entries.length} entries, the system ${width} dimensions`,
      hint,
    );
  }

  #number({ number, span }: Entry, kind: Item["kind"]): number {
    const value = Number(number);
    if (Math.abs(value) > MOST_TOKENS)
      this.#error("bvas/too-large", span, `${number} is too large: at most ${MOST_TOKENS} can be counted`);
    else if (value < 0 && (kind === "axiom" || kind === "target"))
      this.#error(
        "bvas/negative",
        span,
        `${kind === "axiom" ? "an axiom" : "a target"} has no negative entries`,
      );
    return value;
  }
}
