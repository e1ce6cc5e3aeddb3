/**
 * Assertions of FLTL: temporal formulas over fluents. A fluent becomes true with an action of its first set, and false with one of its second. An action, or a
 * set of actions, is the fluent that is true from it up to the next action.
 */
import type { Span } from "../../model/diagnostic.js";
import type { Fluent, FluentQuestion } from "../../model/fluents.js";
import type { Formula } from "../../model/formula.js";
import { suggest } from "../toolkit/spelling.js";
import type { AssertTree, FluentTree, FormulaTree, Item, Label } from "./ast.js";
import { Mistake, type Env, type Names } from "./names.js";
import { matching, membership } from "./relabelling.js";

const MOST_FLUENTS = 16;
const NO_VARIABLES: Env = new Map();

/** One question for each assertion, and for each value of its indices. */
export function assertionsOf(
  items: readonly Item[],
  names: Names,
  take: (name: string) => string,
): FluentQuestion[] {
  const fluents = new Map<string, FluentTree>();
  const asserts = new Map<string, AssertTree>();
  for (const item of items) {
    if (item.kind !== "fluent" && item.kind !== "assert") continue;
    if (fluents.has(item.name) || asserts.has(item.name))
      throw new Mistake("fsp/twice", item.span, `'${item.name}' is declared twice`);
    if (item.kind === "fluent") fluents.set(item.name, item);
    else asserts.set(item.name, item);
  }
  for (const fluent of fluents.values())
    for (const { env } of names.combinations(fluent.indices, NO_VARIABLES)) checkSets(fluent, names, env);
  return [...asserts.values()].flatMap((tree) =>
    names.combinations(tree.indices, NO_VARIABLES).map(({ values, env }) => {
      const reader = new Reader(names, fluents, asserts);
      const formula = reader.formula(tree.formula, env);
      const name = take([tree.name, ...values].join("."));
      return { name, span: tree.span, formula, fluents: reader.fluents };
    }),
  );
}

/** An action that both starts and ends a fluent has no meaning. */
function checkSets({ name, on, off, span }: FluentTree, names: Names, env: Env): void {
  const ends = new Set(names.set(off, env));
  const both = names.set(on, env).find((label) => ends.has(label));
  if (both !== undefined)
    throw new Mistake("fsp/fluent", span, `action '${both}' both starts and ends the fluent '${name}'`);
}

class Reader {
  readonly fluents: Fluent[] = [];
  readonly #names: Names;
  readonly #declared: ReadonlyMap<string, FluentTree>;
  readonly #asserts: ReadonlyMap<string, AssertTree>;
  readonly #open = new Set<string>();

  constructor(
    names: Names,
    declared: ReadonlyMap<string, FluentTree>,
    asserts: ReadonlyMap<string, AssertTree>,
  ) {
    this.#names = names;
    this.#declared = declared;
    this.#asserts = asserts;
  }

  formula(tree: FormulaTree, env: Env): Formula {
    switch (tree.kind) {
      case "not":
      case "next":
      case "always":
      case "eventually":
        return { kind: tree.kind, operand: this.formula(tree.of, env) };
      case "rigid":
        return { kind: this.#names.isTrue(tree.condition, env) ? "true" : "false" };
      case "forall":
      case "exists": {
        const each = this.#names.combinations(tree.indices, env).map((one) => this.formula(tree.of, one.env));
        const kind = tree.kind === "forall" ? "and" : "or";
        return each.reduce((left, right) => ({ kind, left, right }));
      }
      case "atom":
        return this.#atom(tree.label, env);
      default:
        return { kind: tree.kind, left: this.formula(tree.left, env), right: this.formula(tree.right, env) };
    }
  }

  #atom(label: Label, env: Env): Formula {
    const [first, ...rest] = label.parts;
    if (first?.kind === "set" && first.set.kind === "named") {
      const { name } = first.set;
      const fluent = this.#declared.get(name);
      if (fluent) return this.#fluent(fluent, rest, label.span, env);
      const assertion = this.#asserts.get(name);
      if (assertion) return this.#assertion(assertion, rest, label.span, env);
      if (!this.#names.hasSet(name))
        throw new Mistake(
          "fsp/unknown-name",
          label.span,
          `there is no fluent, assertion or set '${name}'`,
          suggest(name, [...this.#declared.keys(), ...this.#asserts.keys()]),
        );
    }
    const labels = this.#names.labels(label, env).map(({ name }) => name);
    const has = matching(labels);
    return this.#proposition({
      name: labels.length === 1 ? (labels[0] ?? "") : `{${labels.join(", ")}}`,
      isInitially: false,
      starts: has,
      ends: (other) => !has(other),
      span: label.span,
    });
  }

  #fluent(tree: FluentTree, rest: Label["parts"], span: Span, env: Env): Formula {
    const { name, on, off, initially } = tree;
    const all = this.#instances(tree, rest, span, env).map(({ values, env: own }) =>
      this.#proposition({
        name: [name, ...values].join("."),
        isInitially: initially !== undefined && this.#names.isTrue(initially, own),
        starts: membership(on, this.#names, own),
        ends: membership(off, this.#names, own),
        span: tree.span,
      }),
    );
    return all.reduce((left, right) => ({ kind: "or", left, right }));
  }

  #assertion(tree: AssertTree, rest: Label["parts"], span: Span, env: Env): Formula {
    if (this.#open.has(tree.name))
      throw new Mistake("fsp/recursive", span, `assertion '${tree.name}' is a part of itself`);
    this.#open.add(tree.name);
    const all = this.#instances(tree, rest, span, env).map((each) => this.formula(tree.formula, each.env));
    this.#open.delete(tree.name);
    return all.reduce((left, right) => ({ kind: "and", left, right }));
  }

  /** The declared indices that the given ones select. */
  #instances(
    { name, indices }: FluentTree | AssertTree,
    rest: Label["parts"],
    span: Span,
    env: Env,
  ): readonly { readonly values: readonly (number | string)[]; readonly env: Env }[] {
    const given = rest.flatMap((part) => (part.kind === "index" ? [part] : []));
    if (given.length !== rest.length || given.length !== indices.length)
      throw new Mistake(
        "fsp/index-count",
        span,
        `'${name}' has ${indices.length} indices, not ${rest.length}`,
      );
    const wanted = new Set(this.#names.combinations(given, env).map(({ values }) => values.join(".")));
    const found = this.#names
      .combinations(indices, NO_VARIABLES)
      .filter(({ values }) => wanted.has(values.join(".")));
    if (found.length !== wanted.size)
      throw new Mistake("fsp/no-element", span, `'${name}' is not declared for all of these indices`);
    return found;
  }

  #proposition(fluent: Fluent): Formula {
    const known = this.fluents.findIndex(({ name }) => name === fluent.name);
    if (known >= 0) return { kind: "proposition", index: known };
    if (this.fluents.length === MOST_FLUENTS)
      throw new Mistake(
        "fsp/too-large",
        fluent.span,
        `an assertion may have at most ${MOST_FLUENTS} fluents`,
      );
    return { kind: "proposition", index: this.fluents.push(fluent) - 1 };
  }
}
