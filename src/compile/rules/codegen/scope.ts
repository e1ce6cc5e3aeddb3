/** The context of code generation: the state it works on, the meaning of its frame's slots, and its temporary variables. */
import type { RuleType, SimpleType } from "../../../model/rules.js";
import type { LayoutNode } from "../layout.js";
import { literal } from "./operators.js";
import { canFail } from "./runtime.js";

/** A number that is known, or the name of a variable. */
export type Index = number | string;

/** A place whose indices have been evaluated. */
export type Located =
  /** A variable that holds a code. */
  | { readonly kind: "register"; readonly name: string; readonly type: SimpleType }
  | {
      readonly kind: "state";
      readonly node: LayoutNode;
      readonly type: RuleType;
      /** Indices into the enclosing arrays and multisets, from 0 on. */
      readonly indices: readonly Index[];
    }
  /** By leaf number: the target of a reference parameter, or a variable in the memory for locals. */
  | {
      readonly kind: "numbered";
      readonly region: Region;
      readonly leaf: Index;
      readonly offset: number;
      readonly type: RuleType;
    };

export type Region = "state" | "memory";

export type Binding =
  | { readonly kind: "constant"; readonly value: number }
  /** A variable that holds a value. */
  | { readonly kind: "value"; readonly name: string }
  | { readonly kind: "place"; readonly place: Located }
  /** A variable that holds a position in a multiset, or -1. */
  | { readonly kind: "element"; readonly name: string };

export interface Scope {
  readonly text: FunctionText;
  /** The array that holds the state, and where in it; "" for the beginning. */
  readonly array: string;
  readonly base: string;
  readonly bindings: ReadonlyMap<number, Binding>;
  /** The kind of body that contains the code, which determines how to leave it. */
  readonly body: Body;
}

/** A function that is a rule gives false when an assumption discards the step. */
export type Body =
  | { readonly kind: "rule" }
  | { readonly kind: "procedure"; readonly result: SimpleType | undefined }
  | { readonly kind: "condition" };

/** Leaves the function, with a value of its type if it has one: the error is in `fault`. */
export function leave({ body }: Scope): string {
  if (body.kind !== "procedure") return "return false;";
  return body.result ? `return ${literal(body.result.low)};` : "return;";
}

/** Leaves the function if something went wrong. */
export const check = (scope: Scope): string => `if (fault !== 0) ${leave(scope)}`;

/** Statements, behind which the function is left if something went wrong in them. */
export const checked = (code: string, scope: Scope): string =>
  canFail(code) ? `${code}\n${check(scope)}` : code; // sound: test/compile/rules/step.test.ts

/** The temporary variables of a function. `level`: names from functions of a lower level may be passed to it. */
export class FunctionText {
  readonly level: number;
  readonly #names: string[] = [];

  constructor(level = 0) {
    this.level = level;
  }

  fresh(): string {
    const name = `${LEVEL_LETTERS[this.level] ?? `x${this.level}_`}${this.#names.length}`;
    this.#names.push(name);
    return name;
  }

  /** `t` holds codes that are looked at at once. */
  declarations(): string {
    return `let ${["t", ...this.#names].map((name) => `${name} = 0`).join(", ")};`;
  }
}

const LEVEL_LETTERS = "xyz";

export const bound = (scope: Scope, slot: number, binding: Binding): Scope => ({
  ...scope,
  bindings: new Map([...scope.bindings, [slot, binding]]),
});

/** Variables that code in this scope may use, for handing them to another function. */
export function namesIn({ bindings }: Scope): string[] {
  const names = new Set<string>();
  for (const binding of bindings.values()) {
    if (binding.kind === "value" || binding.kind === "element") names.add(binding.name);
    else if (binding.kind === "place") for (const name of placeNames(binding.place)) names.add(name);
  }
  return [...names];
}

function placeNames(place: Located): string[] {
  switch (place.kind) {
    case "register":
      return [place.name];
    case "state":
      return place.indices.filter((index) => typeof index === "string");
    case "numbered":
      return typeof place.leaf === "string" ? [place.leaf] : [];
  }
}

/** The given names that the code uses. */
export const usedIn = (code: string, names: readonly string[]): string[] => {
  const used = new Set(code.match(/[A-Za-z_]\w*/g));
  return names.filter((name) => used.has(name));
};

export const block = (head: string, body: string): string => `${head} {\n${indent(body)}\n}`;

export const indent = (text: string): string => text.replace(/^(?=.)/gm, "  ");
