/**
 * The derivation pool: all derivations of each predicate, as trees with variables, each with the condition under which it is a
 * derivation. A predicate at which a cycle is cut is a leaf inside other trees (`rec`), constrained by its annotation alone.
 *
 * Always true: every derivation is an instance of a tree of the pool, up to the derivations below its `rec` leaves. Trees share no
 * variables: `instance` renames all of them.
 */
import type { NdlogProgram, NdlogRule } from "../../model/ndlog.js";
import type { Term, VariableTerm } from "../../model/terms.js";
import { cutOf } from "./cut.js";
import type { Encoder } from "./encode.js";
import { Facts } from "./encode.js";

export interface Node {
  /** The number of a rule; a base tuple; a leaf whose derivation is left open. */
  readonly by: number | "base" | "rec";
  readonly predicate: number;
  readonly args: readonly Term[];
  readonly children: readonly Node[];
}

export interface Entry {
  /** All of these hold. */
  readonly condition: readonly Term[];
  readonly node: Node;
}

export class PoolTooLarge extends Error {}

export class Pool {
  readonly program: NdlogProgram;
  readonly encoder: Encoder;
  readonly cut: ReadonlySet<number>;
  readonly #entries = new Map<number, readonly Entry[]>();

  constructor(program: NdlogProgram, encoder: Encoder) {
    this.program = program;
    this.encoder = encoder;
    this.cut = cutOf(program);
  }

  /** Derivations of a predicate by its rules, and as a base tuple. */
  entries(predicate: number): readonly Entry[] {
    const known = this.#entries.get(predicate);
    if (known) return known;
    const { rules, predicates } = this.program;
    const made = rules.flatMap((rule, number) =>
      rule.head.predicate === predicate ? this.#ofRule(rule, number) : [],
    );
    const all = predicates[predicate]?.isBase ? [this.#base(predicate), ...made] : made;
    this.#entries.set(predicate, all);
    return all;
  }

  /** The same derivation with fresh variables. */
  instance({ condition, node }: Entry): Entry {
    const { terms } = this.encoder;
    const renamed = new Map<number, VariableTerm>();
    const fresh = (variable: VariableTerm): VariableTerm => {
      const known = renamed.get(variable.id) ?? this.encoder.fresh();
      renamed.set(variable.id, known);
      return known;
    };
    const found = new Map<number, Term>();
    const rename = (term: Term): Term => terms.substitute(term, fresh, found); // sound: test/engines/pools/traps.test.ts
    return { condition: condition.map(rename), node: mapArgs(node, rename) };
  }

  #base(predicate: number): Entry {
    const args = this.encoder.freshAll(this.program.predicates[predicate]?.arity ?? 0);
    const node: Node = { by: "base", predicate, args, children: [] };
    return { condition: this.constraintsOn([node], 1), node };
  }

  #rec(predicate: number): Entry {
    const args = this.encoder.freshAll(this.program.predicates[predicate]?.arity ?? 0);
    const node: Node = { by: "rec", predicate, args, children: [] };
    return { condition: this.annotationOf(predicate, args), node };
  }

  annotationOf(predicate: number, args: readonly Term[]): Term[] {
    const facts = new Facts();
    const annotation = this.program.annotations.find((each) => each.predicate === predicate);
    if (!annotation) return [];
    const holds = this.encoder.condition(annotation.condition, args, facts);
    return [...facts.definitions, holds];
  }

  #lookUp(predicate: number): readonly Entry[] {
    return this.cut.has(predicate) ? [this.#rec(predicate)] : this.entries(predicate);
  }

  #ofRule(rule: NdlogRule, number: number): Entry[] {
    const options = rule.body.atoms.map(({ predicate }) => this.#lookUp(predicate));
    if (options.reduce((size, { length }) => size * length, 1) > MOST_ENTRIES)
      throw new PoolTooLarge(`${rule.label} has more than ${MOST_ENTRIES} derivations`);
    return combinations(options).map((chosen) => this.#complete(rule, number, chosen));
  }

  #complete({ head, body }: NdlogRule, number: number, chosen: readonly Entry[]): Entry {
    const parts = chosen.map((entry) => this.instance(entry));
    const facts = new Facts();
    const tuples = parts.map(({ node }) => node.args);
    const values = this.encoder.clause(body, tuples, [], facts);
    const args = head.args.map((arg) => this.encoder.sum(arg, values, facts));
    return {
      condition: [...parts.flatMap(({ condition }) => condition), ...facts.definitions, ...facts.asserted],
      node: {
        by: number,
        predicate: head.predicate,
        args,
        children: parts.map(({ node }) => node),
      },
    };
  }

  /** Network constraints with `atoms` atoms, or with at least two, in all ways in which base leaves match them, the same leaf repeatedly included. */
  constraintsOn(nodes: readonly Node[], atoms: 1 | "several"): Term[] {
    const leaves = nodes.flatMap(nodesOf).filter(({ by }) => by === "base"); // sound: test/engines/pools/traps.test.ts
    const found: Term[] = [];
    for (const { when, then } of this.program.constraints) {
      if (when.atoms.length <= 1 !== (atoms === 1)) continue;
      const options = when.atoms.map(({ predicate }) =>
        leaves.filter((leaf) => leaf.predicate === predicate),
      );
      for (const chosen of combinations(options)) {
        const facts = new Facts();
        const tuples = chosen.map(({ args }) => args);
        const values = this.encoder.clause(when, tuples, [], facts);
        const holds = this.encoder.condition(then, values, facts);
        const { terms } = this.encoder;
        found.push(...facts.definitions, terms.implies(terms.and(facts.asserted), holds));
      }
    }
    return found;
  }
}

/** A pool beyond this is left undecided. */
const MOST_ENTRIES = 5000;

/** One of each list, in all ways. */
export function combinations<T>(lists: readonly (readonly T[])[]): readonly (readonly T[])[] {
  return lists.reduce<readonly (readonly T[])[]>(
    (so, list) => so.flatMap((before) => list.map((each) => [...before, each])),
    [[]],
  );
}

/** The node and all nodes below it. */
export const nodesOf = (node: Node): Node[] => [node, ...node.children.flatMap(nodesOf)];

const mapArgs = (node: Node, rename: (term: Term) => Term): Node => ({
  ...node,
  args: node.args.map(rename),
  children: node.children.map((child) => mapArgs(child, rename)),
});
