/**
 * χ: processes over shared variables and rendezvous channels, as terms. Names refer to the innermost scope that declares them, else to a
 * global variable. Process definitions are expanded, types are finite, expressions are typed.
 *
 * A value is a list of words: one for a scalar, the words of all elements in order for arrays and tuples, the length followed by
 * `most` elements for lists, zeros beyond the length, so that equal values have equal words.
 */
import type { Span } from "./diagnostic.js";
import type { Subject } from "./subject.js";

export type ChiType =
  | { readonly kind: "unit" }
  | { readonly kind: "bool" }
  | { readonly kind: "int"; readonly low: number; readonly high: number }
  | { readonly kind: "enum"; readonly names: readonly string[] }
  | { readonly kind: "array"; readonly of: ChiType; readonly length: number }
  | { readonly kind: "tuple"; readonly of: readonly ChiType[] }
  | { readonly kind: "list"; readonly of: ChiType; readonly most: number };

export type ChiValue = readonly number[];

export interface ChiVariable {
  readonly name: string;
  readonly type: ChiType;
  readonly initial: ChiValue;
  readonly span: Span;
}

export interface ChiChannel {
  readonly name: string;
  readonly type: ChiType;
  readonly span: Span;
}

export type ChiBinary =
  "+" | "-" | "*" | "/" | "%" | "=" | "!=" | "<" | "<=" | ">" | ">=" | "and" | "or" | "=>";

export type ChiFunction = "len" | "head" | "tail" | "append";

/** `span` locates run-time errors. */
export type ChiExpr =
  | { readonly kind: "value"; readonly value: ChiValue; readonly type: ChiType }
  | ChiPlace
  | { readonly kind: "unary"; readonly operator: "not" | "-"; readonly of: ChiExpr }
  | {
      readonly kind: "binary";
      readonly operator: ChiBinary;
      readonly left: ChiExpr;
      readonly right: ChiExpr;
      readonly span: Span;
    }
  /** An array, a tuple or a list by its elements. */
  | {
      readonly kind: "compose";
      readonly parts: readonly ChiExpr[];
      readonly type: ChiType;
      readonly span: Span;
    }
  | {
      readonly kind: "call";
      readonly name: ChiFunction;
      readonly of: readonly ChiExpr[];
      readonly type: ChiType;
      readonly span: Span;
    };

/** A variable or a part of it; `type` is that of the part. */
export interface ChiPlace {
  readonly kind: "place";
  readonly name: string;
  readonly path: readonly ChiStep[];
  readonly type: ChiType;
  readonly span: Span;
}

export type ChiStep =
  /** `size`: words of an element. */
  | {
      readonly kind: "index";
      readonly at: ChiExpr;
      readonly size: number;
      readonly length: number;
      readonly isList: boolean;
    }
  | { readonly kind: "field"; readonly number: number; readonly offset: number };

export type ChiTerm =
  | { readonly kind: "eps" }
  | { readonly kind: "delta" }
  | { readonly kind: "skip"; readonly span: Span }
  | { readonly kind: "assign"; readonly to: ChiPlace; readonly value: ChiExpr; readonly span: Span }
  /** A channel without data carries the unit value. */
  | {
      readonly kind: "send";
      readonly channel: string;
      readonly value: ChiExpr | undefined;
      readonly span: Span;
    }
  | {
      readonly kind: "receive";
      readonly channel: string;
      readonly to: ChiPlace | undefined;
      readonly span: Span;
    }
  | { readonly kind: "guard"; readonly when: ChiExpr; readonly then: ChiTerm }
  | { readonly kind: "seq"; readonly first: ChiTerm; readonly then: ChiTerm }
  | { readonly kind: "alt"; readonly left: ChiTerm; readonly right: ChiTerm }
  | { readonly kind: "par"; readonly left: ChiTerm; readonly right: ChiTerm }
  | { readonly kind: "star"; readonly body: ChiTerm }
  | { readonly kind: "scope"; readonly variables: readonly ChiVariable[]; readonly body: ChiTerm }
  | { readonly kind: "encap"; readonly body: ChiTerm };

export interface ChiProgram {
  readonly name: string;
  readonly globals: readonly ChiVariable[];
  readonly channels: readonly ChiChannel[];
  readonly system: ChiTerm;
  /** Conditions over globals that hold in all states. */
  readonly invariants: readonly { readonly name: string; readonly condition: ChiExpr; readonly span: Span }[];
  /** Conditions over globals that stay reachable from all states. */
  readonly goals: readonly { readonly name: string; readonly condition: ChiExpr; readonly span: Span }[];
  readonly checksDeadlock: boolean;
  readonly span: Span;
}

export const EPS: ChiTerm = { kind: "eps" };
export const DELTA: ChiTerm = { kind: "delta" };
export const BOOL: ChiType = { kind: "bool" };
/** The type of arithmetic: variables have bounds, sums have none. */
export const INTEGER: ChiType = { kind: "int", low: -(2 ** 31), high: 2 ** 31 - 1 };

/** Words of a value of the type. */
export function chiWords(type: ChiType): number {
  switch (type.kind) {
    case "unit":
      return 0;
    case "bool":
    case "int":
    case "enum":
      return 1;
    case "array":
      return type.length * chiWords(type.of);
    case "tuple":
      return type.of.reduce((sum, part) => sum + chiWords(part), 0);
    case "list":
      return 1 + type.most * chiWords(type.of);
  }
}

/** How many values a type has; Infinity above what can be counted. */
export function chiSize(type: ChiType): number {
  switch (type.kind) {
    case "unit":
      return 1;
    case "bool":
      return 2;
    case "int":
      return type.high - type.low + 1;
    case "enum":
      return type.names.length;
    case "array":
      return chiSize(type.of) ** type.length;
    case "tuple":
      return type.of.reduce((product, part) => product * chiSize(part), 1);
    case "list": {
      let sum = 0;
      for (let n = 0; n <= type.most && sum < Infinity; n++) sum += chiSize(type.of) ** n;
      return sum;
    }
  }
}

/** All values of a type, in order. */
export function chiValues(type: ChiType): ChiValue[] {
  switch (type.kind) {
    case "unit":
      return [[]];
    case "bool":
      return [[0], [1]];
    case "int":
      return Array.from({ length: type.high - type.low + 1 }, (_, i) => [type.low + i]);
    case "enum":
      return type.names.map((_, i) => [i]);
    case "array":
      return products(Array.from({ length: type.length }, () => type.of));
    case "tuple":
      return products(type.of);
    case "list":
      return Array.from({ length: type.most + 1 }, (_, n) =>
        products(Array.from({ length: n }, () => type.of)).map((elements) =>
          padded([n, ...elements], chiWords(type)),
        ),
      ).flat();
  }
}

const products = (types: readonly ChiType[]): ChiValue[] =>
  types.reduce<ChiValue[]>(
    (values, type) => values.flatMap((value) => chiValues(type).map((next) => [...value, ...next])),
    [[]],
  );

const padded = (words: readonly number[], length: number): ChiValue => [
  ...words,
  ...Array.from({ length: length - words.length }, () => 0),
];

/** Is the value one of the type? */
export function isChiValue(type: ChiType, value: ArrayLike<number>, at = 0): boolean {
  const word = value[at] ?? 0;
  switch (type.kind) {
    case "unit":
      return true;
    case "bool":
      return word === 0 || word === 1;
    case "int":
      return word >= type.low && word <= type.high;
    case "enum":
      return word >= 0 && word < type.names.length;
    case "array":
      return Array.from({ length: type.length }, (_, i) => i * chiWords(type.of)).every((offset) =>
        isChiValue(type.of, value, at + offset),
      );
    case "tuple": {
      let offset = at;
      return type.of.every((part) => {
        const isOne = isChiValue(part, value, offset);
        offset += chiWords(part);
        return isOne;
      });
    }
    case "list":
      return (
        word >= 0 &&
        word <= type.most &&
        Array.from({ length: word }, (_, i) => at + 1 + i * chiWords(type.of)).every((offset) =>
          isChiValue(type.of, value, offset),
        )
      );
  }
}

/** The smallest value: the start of a variable without one. */
export function chiDefault(type: ChiType): ChiValue {
  switch (type.kind) {
    case "unit":
      return [];
    case "bool":
    case "enum":
      return [0];
    case "int":
      return [type.low <= 0 && type.high >= 0 ? 0 : type.low];
    case "array":
      return Array.from({ length: type.length }, () => chiDefault(type.of)).flat();
    case "tuple":
      return type.of.flatMap(chiDefault);
    case "list":
      return Array.from({ length: chiWords(type) }, () => 0);
  }
}

/** Visits a term and all its parts, outermost first. */
export function visitChi(term: ChiTerm, visit: (term: ChiTerm) => void): void {
  visit(term);
  for (const part of chiParts(term)) visitChi(part, visit);
}

export function chiParts(term: ChiTerm): readonly ChiTerm[] {
  switch (term.kind) {
    case "guard":
      return [term.then];
    case "seq":
      return [term.first, term.then];
    case "alt":
    case "par":
      return [term.left, term.right];
    case "star":
    case "scope":
    case "encap":
      return [term.body];
    case "eps":
    case "delta":
    case "skip":
    case "assign":
    case "send":
    case "receive":
      return [];
  }
}

/** The term with its parts replaced, in the order of `chiParts`. */
export function withChiParts(term: ChiTerm, parts: readonly ChiTerm[]): ChiTerm {
  const [a = EPS, b = EPS] = parts;
  switch (term.kind) {
    case "guard":
      return { ...term, then: a };
    case "seq":
      return { ...term, first: a, then: b };
    case "alt":
    case "par":
      return { ...term, left: a, right: b };
    case "star":
    case "scope":
    case "encap":
      return { ...term, body: a };
    default:
      return term;
  }
}

/** Variables of an expression. */
export function chiVariables(expr: ChiExpr): Set<string> {
  switch (expr.kind) {
    case "value":
      return new Set();
    case "place":
      return union([
        new Set([expr.name]),
        ...expr.path.map((step) => (step.kind === "index" ? chiVariables(step.at) : new Set<string>())),
      ]);
    case "unary":
      return chiVariables(expr.of);
    case "binary":
      return union([chiVariables(expr.left), chiVariables(expr.right)]);
    case "compose":
      return union(expr.parts.map(chiVariables));
    case "call":
      return union(expr.of.map(chiVariables));
  }
}

/** Variables with an occurrence outside the scopes that declare them. */
export function chiFree(term: ChiTerm): Set<string> {
  switch (term.kind) {
    case "assign":
      return union([chiVariables(term.to), chiVariables(term.value)]);
    case "send":
      return term.value ? chiVariables(term.value) : new Set();
    case "receive":
      return term.to ? chiVariables(term.to) : new Set();
    case "guard":
      return union([chiVariables(term.when), chiFree(term.then)]);
    case "scope": {
      const inner = chiFree(term.body);
      for (const { name } of term.variables) inner.delete(name);
      return inner;
    }
    default:
      return union(chiParts(term).map(chiFree));
  }
}

const union = (sets: readonly ReadonlySet<string>[]): Set<string> => new Set(sets.flatMap((set) => [...set]));

/** For exports and laws; the states are those of the model. */
export interface ChiSubject extends Subject {
  readonly kind: "chi";
  readonly program: ChiProgram;
}

export const isChi = (subject: Subject | undefined): subject is ChiSubject => subject?.kind === "chi";
