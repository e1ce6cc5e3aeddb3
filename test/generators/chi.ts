/** Random χ terms over two variables with three values and two channels; instances of patterns; closed systems. */
import {
  BOOL,
  INTEGER,
  type ChiChannel,
  type ChiExpr,
  type ChiPlace,
  type ChiTerm,
  type ChiType,
  type ChiVariable,
} from "../../src/model/index.js";
import type { Random } from "../../src/session/index.js";
import { built, type Bindings, type Pattern } from "../../src/transforms/chi/index.js";

const span = { file: "random.chi", start: 0, end: 0 };
export const SMALL: ChiType = { kind: "int", low: 0, high: 2 };
export const GLOBALS: readonly ChiVariable[] = ["x", "y"].map((name) => ({
  name,
  type: SMALL,
  initial: [0],
  span,
}));
export const CHANNELS: readonly ChiChannel[] = ["a", "b"].map((name) => ({ name, type: SMALL, span }));

export const place = (name: string): ChiPlace => ({ kind: "place", name, path: [], type: SMALL, span });
export const number = (value: number): ChiExpr => ({ kind: "value", value: [value], type: INTEGER });
const binary = (operator: "+" | "%" | "=" | "!=", left: ChiExpr, right: ChiExpr): ChiExpr => ({
  kind: "binary",
  operator,
  left,
  right,
  span,
});

export class ChiMaker {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  #pick<T>(list: readonly T[]): T {
    return list[this.#random.below(list.length)];
  }

  expr(names: readonly string[]): ChiExpr {
    const name = this.#pick(names);
    switch (this.#random.below(3)) {
      case 0:
        return number(this.#random.below(3));
      case 1:
        return place(name);
      default:
        return binary("%", binary("+", place(name), number(1)), number(3));
    }
  }

  condition(names: readonly string[]): ChiExpr {
    if (this.#random.below(8) === 0) return { kind: "value", value: [1], type: BOOL };
    const left = place(this.#pick(names));
    return binary(
      this.#pick(["=", "!="] as const),
      left,
      this.#random.below(2) === 0 ? number(this.#random.below(3)) : place(this.#pick(names)),
    );
  }

  variables(): readonly ChiVariable[] {
    const names = this.#random.below(3) === 0 ? ["y", "z"] : [this.#pick(["x", "y", "z"])];
    return names.map((name) => ({ name, type: SMALL, initial: [this.#random.below(3)], span }));
  }

  atom(names: readonly string[]): ChiTerm {
    switch (this.#random.below(7)) {
      case 0:
        return { kind: "eps" };
      case 1:
        return this.#random.below(3) === 0 ? { kind: "delta" } : { kind: "skip", span };
      case 2:
        return { kind: "send", channel: this.#pick(["a", "b"]), value: this.expr(names), span };
      case 3:
        return { kind: "receive", channel: this.#pick(["a", "b"]), to: place(this.#pick(names)), span };
      default:
        return { kind: "assign", to: place(this.#pick(names)), value: this.expr(names), span };
    }
  }

  /** `names`: variables in scope. */
  term(depth: number, names: readonly string[] = ["x", "y"]): ChiTerm {
    if (depth <= 1 || this.#random.below(5) === 0) return this.atom(names);
    const inner = (): ChiTerm => this.term(depth - 1, names);
    switch (this.#random.below(9)) {
      case 0:
        return { kind: "guard", when: this.condition(names), then: inner() };
      case 1:
      case 2:
      case 3:
        return { kind: "seq", first: inner(), then: inner() };
      case 4:
        return { kind: "alt", left: inner(), right: inner() };
      case 5:
        return { kind: "par", left: inner(), right: inner() };
      case 6:
        return { kind: "star", body: inner() };
      case 7: {
        const variables = this.variables();
        return {
          kind: "scope",
          variables,
          body: this.term(depth - 1, [...new Set([...names, ...variables.map(({ name }) => name)])]),
        };
      }
      default:
        return { kind: "encap", body: inner() };
    }
  }

  /** No ε, and every star has a sequel. */
  proper(depth: number, names: readonly string[] = ["x", "y"]): ChiTerm {
    const inner = (): ChiTerm => this.proper(depth - 1, names);
    if (depth <= 1) {
      const atom = this.atom(names);
      return atom.kind === "eps" ? { kind: "skip", span } : atom;
    }
    switch (this.#random.below(6)) {
      case 0:
        return { kind: "guard", when: this.condition(names), then: inner() };
      case 1:
        return { kind: "seq", first: { kind: "star", body: inner() }, then: inner() };
      case 2:
        return { kind: "alt", left: inner(), right: inner() };
      case 3:
        return { kind: "par", left: inner(), right: inner() };
      default:
        return { kind: "seq", first: inner(), then: inner() };
    }
  }

  /** Random bindings of a pattern, and the term that it becomes. */
  instance(
    pattern: Pattern,
    depth: number,
    isProper: boolean,
  ): { readonly term: ChiTerm; readonly bindings: Bindings } {
    const terms = new Map<string, ChiTerm>();
    const conditions = new Map<string, ChiExpr>();
    const scopes = new Map<string, readonly ChiVariable[]>();
    const fill = (part: Pattern, names: readonly string[]): void => {
      switch (part.kind) {
        case "any":
          if (part.of) while (terms.get(part.name)?.kind !== part.of) terms.set(part.name, this.atom(names));
          else if (!terms.has(part.name))
            terms.set(part.name, isProper ? this.proper(depth, names) : this.term(depth, names));
          return;
        case "guard":
          for (const name of part.when) conditions.set(name, this.condition(names));
          return fill(part.then, names);
        case "seq":
        case "alt":
        case "par":
          fill(part.left, names);
          return fill(part.right, names);
        case "star":
        case "encap":
          return fill(part.body, names);
        case "scope": {
          const variables = this.variables();
          scopes.set(part.variables, variables);
          return fill(part.body, [...new Set([...names, ...variables.map(({ name }) => name)])]);
        }
        case "eps":
        case "delta":
          return;
      }
    };
    fill(pattern, ["x", "y"]);
    const bindings = { terms, conditions, scopes };
    return { term: built(pattern, bindings), bindings };
  }
}
