/** Names of χ, their meanings, and types. */
import {
  chiDefault,
  chiSize,
  chiWords,
  type ChiChannel,
  type ChiExpr,
  type ChiPlace,
  type ChiType,
  type ChiValue,
} from "../../model/chi.js";
import { renderChiType } from "../../model/chi-text.js";
import type { Span } from "../../model/diagnostic.js";
import type { ReportError } from "../toolkit/diagnostics.js";
import { suggest } from "../toolkit/spelling.js";
import type { Item, Named, Tree, TypeTree } from "./ast.js";

export type Meaning =
  | { readonly kind: "constant"; readonly value: ChiValue; readonly type: ChiType }
  | { readonly kind: "type"; readonly type: ChiType }
  | { readonly kind: "variable"; readonly place: ChiPlace }
  /** A parameter of a process that stands for an expression. */
  | { readonly kind: "expression"; readonly expr: ChiExpr; readonly type: ChiType }
  | { readonly kind: "channel"; readonly channel: ChiChannel }
  | { readonly kind: "process"; readonly item: Extract<Item, { readonly kind: "proc" }> };

/** What a name of each kind is called. */
export const CALLED: Readonly<Record<Meaning["kind"], string>> = {
  constant: "a constant",
  type: "a type",
  variable: "a variable",
  expression: "a parameter",
  channel: "a channel",
  process: "a process",
};

/** Default bound of `nat`. */
const LARGEST_NAT = 255;
/** Larger values would make every state larger than is useful. */
const MOST_WORDS = 10_000;

export class Names {
  readonly #meanings = new Map<string, { readonly meaning: Meaning; readonly span: Span }>();
  readonly #outer: Names | undefined;
  readonly error: ReportError;

  constructor(error: ReportError, outer?: Names) {
    this.error = error;
    this.#outer = outer;
  }

  inner(): Names {
    return new Names(this.error, this);
  }

  declare({ name, span }: Named, meaning: Meaning): void {
    if (this.#meanings.has(name)) this.error("chi/declared-twice", span, `'${name}' is declared twice`);
    else this.#meanings.set(name, { meaning, span });
  }

  find(name: string): Meaning | undefined {
    return this.#meanings.get(name)?.meaning ?? this.#outer?.find(name);
  }

  /** Reports a name without a meaning. */
  resolve({ name, span }: Named): Meaning | undefined {
    const found = this.find(name);
    if (!found) this.error("chi/unknown-name", span, `'${name}' is not declared`, suggest(name, this.#all()));
    return found;
  }

  #all(): string[] {
    return [...this.#meanings.keys(), ...(this.#outer ? this.#outer.#all() : [])];
  }
}

/** `constantOf`: evaluates a constant integer expression; undefined after an error. */
export function typeOf(
  tree: TypeTree,
  names: Names,
  constantOf: (tree: Tree) => number | undefined,
): ChiType | undefined {
  const type = unboundedTypeOf(tree, names, constantOf);
  if (!type || chiWords(type) <= MOST_WORDS) return type;
  names.error("chi/too-large", tree.span, `a value of this type takes more than ${MOST_WORDS} words`);
  return undefined;
}

function unboundedTypeOf(
  tree: TypeTree,
  names: Names,
  constantOf: (tree: Tree) => number | undefined,
): ChiType | undefined {
  const { error } = names;
  const sized = (size: Tree): number | undefined => {
    const count = constantOf(size);
    if (count === undefined || (count >= 1 && count <= MOST_WORDS)) return count;
    error("chi/range", size.span, `a size must be between 1 and ${MOST_WORDS}, not ${count}`);
    return undefined;
  };
  switch (tree.kind) {
    case "bool":
      return { kind: "bool" };
    case "nat": {
      const high = tree.most ? constantOf(tree.most) : LARGEST_NAT;
      return high === undefined ? undefined : range(0, high, tree.span, error);
    }
    case "int": {
      const low = constantOf(tree.low);
      const high = constantOf(tree.high);
      return low === undefined || high === undefined ? undefined : range(low, high, tree.span, error);
    }
    case "enum": {
      const type: ChiType = { kind: "enum", names: tree.names.map(({ name }) => name) };
      return type;
    }
    case "array": {
      const of = typeOf(tree.of, names, constantOf);
      const length = sized(tree.length);
      return of && length !== undefined ? { kind: "array", of, length } : undefined;
    }
    case "tuple": {
      const of = tree.of.map((part) => typeOf(part, names, constantOf));
      if (tree.of.length < 2) error("chi/type", tree.span, "a tuple has at least two parts");
      return of.every((part) => part !== undefined) && of.length > 1 ? { kind: "tuple", of } : undefined;
    }
    case "list": {
      const of = typeOf(tree.of, names, constantOf);
      const most = sized(tree.most);
      return of && most !== undefined ? { kind: "list", of, most } : undefined;
    }
    case "name": {
      const found = names.resolve(tree);
      if (found?.kind === "type") return found.type;
      if (found) error("chi/type", tree.span, `'${tree.name}' is ${CALLED[found.kind]}, not a type`);
      return undefined;
    }
  }
}

function range(low: number, high: number, span: Span, error: ReportError): ChiType | undefined {
  if (low <= high) return { kind: "int", low, high };
  error("chi/range", span, `the range ${low}..${high} has no values`);
  return undefined;
}

/** Enumerations of a type declare their values as constants. */
export function declareValues(tree: TypeTree, names: Names): void {
  switch (tree.kind) {
    case "enum": {
      const type: ChiType = { kind: "enum", names: tree.names.map(({ name }) => name) };
      tree.names.forEach((name, i) => names.declare(name, { kind: "constant", value: [i], type }));
      return;
    }
    case "array":
    case "list":
      return declareValues(tree.of, names);
    case "tuple":
      return tree.of.forEach((part) => declareValues(part, names));
    case "bool":
    case "nat":
    case "int":
    case "name":
      return;
  }
}

/** May a value of the second be given where the first is wanted? Ranges are checked when the program runs. */
export function isCompatible(wanted: ChiType, given: ChiType): boolean {
  if (wanted.kind !== given.kind) return false;
  switch (wanted.kind) {
    case "unit":
    case "bool":
    case "int":
      return true;
    case "enum":
      return given.kind === "enum" && wanted.names.join() === given.names.join();
    case "array":
      return given.kind === "array" && wanted.length === given.length && isCompatible(wanted.of, given.of);
    case "list":
      return given.kind === "list" && wanted.most >= given.most && isCompatible(wanted.of, given.of);
    case "tuple":
      return (
        given.kind === "tuple" &&
        wanted.of.length === given.of.length &&
        wanted.of.every((part, i) => isCompatible(part, given.of[i] ?? { kind: "unit" }))
      );
  }
}

export const called = (type: ChiType): string => (type.kind === "int" ? "a number" : renderChiType(type));
export { chiDefault, chiSize };
