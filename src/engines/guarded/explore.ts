/**
 * Symbolic execution with abstract matching: a depth-first search that ends a path where its abstract state repeats on this path.
 *
 * Matching is per path, not global: a path continues through abstract states that other paths have visited. Three modes prune more:
 *
 * - `path-memo` skips a state reached before if the abstract states that ended its subtree are all on this path. It visits the
 *   states of `path`.
 * - `concrete-cache` skips a state that was expanded or cut anywhere: the abstract state of a cut one is closed, or nothing is proved.
 * - `subsume` skips a symbolic state contained in an expanded one with the same abstract state.
 *
 * Soundness of pruning: every explored node is either expanded (all enabled transitions executed) or cut by a match, and then its
 * abstract state is an endpoint of an edge in `inf`. A concrete path either stays in expanded nodes forever, or reaches a cut
 * node and from there is covered by the closure argument of the checks. A skipped node is contained in an expanded one. Errors:
 * any concrete error path leaving a skipped node also leaves the node that contains it.
 */
import type { Term, VariableTerm } from "../../model/terms.js";
import type { Abstraction, Split, Symbolic } from "./abstraction.js";

export type ExploreMode = "path" | "path-memo" | "concrete-cache" | "subsume";

export interface Edge {
  readonly from: string;
  readonly transition: number;
  readonly to: string;
}

export interface Node extends Split {
  readonly parent: Node | undefined;
  /** Taken from the parent; -1: a first state. */
  readonly transition: number;
  /** Fresh constants of the step. */
  readonly inputs: readonly VariableTerm[];
  readonly depth: number;
}

export interface Explored {
  /** Edges of stems and of paths that end, by `edgeKey`. */
  readonly fin: ReadonlyMap<string, Edge>;
  /** Edges on the loop of a lasso. */
  readonly inf: ReadonlyMap<string, Edge>;
  readonly initial: readonly string[];
  /** A state for each abstract state that was entered. */
  readonly abstract: ReadonlyMap<string, Split>;
  readonly expanded: readonly Node[];
  readonly counterexample: Node | undefined;
  /** Concrete states that differ; of symbolic ones all that were made. */
  readonly states: number;
  readonly firings: number;
  readonly depth: number;
}

export const edgeKey = ({ from, transition, to }: Edge): string => `${from} ${transition} ${to}`;

/** Edges of the loop that `closing` closes: from the state that it matches. `path` has the abstract states and the steps from them. */
export function loopOf(path: readonly (readonly [string, number])[], closing: Edge): Edge[] {
  const start = path.findIndex(([state]) => state === closing.to);
  return start < 0 ? [closing] : [...edgesOf(path.slice(start), closing.from), closing];
}

/** Edges of a path that continues in `last`. */
export const edgesOf = (path: readonly (readonly [string, number])[], last: string): Edge[] =>
  path.map(([from, transition], index) => ({ from, transition, to: path[index + 1]?.[0] ?? last }));

interface Frame {
  readonly node: Node;
  /** Next transition to try. */
  transition: number;
  /** Successors still to descend into. */
  readonly pending: Node[];
  /** Abstract states above the node that ended a path below it. */
  readonly used: Set<string>;
}

/** Yields between firings, so that the caller can watch budgets. */
export function* explore(abstraction: Abstraction, mode: ExploreMode): Generator<undefined, Explored> {
  const search = new Search(abstraction, mode);
  return yield* search.run();
}

class Search {
  readonly #abstraction: Abstraction;
  readonly #mode: ExploreMode;
  readonly #fin = new Map<string, Edge>();
  readonly #inf = new Map<string, Edge>();
  readonly #abstract = new Map<string, Split>();
  readonly #states = new Set<string>();
  readonly #expanded: Node[] = [];
  readonly #cached = new Set<string>();
  readonly #memo = new Map<string, ReadonlySet<string>[]>();
  readonly #regions = new Map<string, Term[]>();
  readonly #stack: Frame[] = [];
  #firings = 0;
  #symbolic = 0;
  #depth = 0;

  constructor(abstraction: Abstraction, mode: ExploreMode) {
    this.#abstraction = abstraction;
    this.#mode = mode;
  }

  *run(): Generator<undefined, Explored> {
    const first = firstStates(this.#abstraction);
    const initial = [...new Set(first.map(({ key }) => key))];
    for (const state of first) {
      this.#count(state);
      if (!this.#abstraction.isSafe(state)) return this.#result(initial, state);
      if (this.#isSkipped(state)) continue;
      this.#descend(state);
      for (let top = this.#stack.at(-1); top; top = this.#stack.at(-1)) {
        const found = this.#step(top);
        if (found) return this.#result(initial, found);
        yield;
      }
    }
    return this.#result(initial, undefined);
  }

  #result(initial: readonly string[], counterexample: Node | undefined): Explored {
    if (counterexample) this.#abstract.set(counterexample.key, counterexample);
    return {
      fin: this.#fin,
      inf: this.#inf,
      initial,
      abstract: this.#abstract,
      expanded: this.#expanded,
      counterexample,
      states: this.#states.size + this.#symbolic,
      firings: this.#firings,
      depth: this.#depth,
    };
  }

  /** One firing, one successor, or the end of a node. Returns an error state. */
  #step(frame: Frame): Node | undefined {
    const next = frame.pending.shift();
    if (next) return this.#enter(frame, next);
    const { transitions } = this.#abstraction.logic.program;
    while (
      frame.transition < transitions.length &&
      !this.#abstraction.isEnabled(frame.transition, frame.node)
    )
      frame.transition++;
    if (frame.transition === transitions.length) {
      this.#leave(frame);
      return undefined;
    }
    this.#firings++;
    frame.pending.push(...successorsOf(this.#abstraction, frame.node, frame.transition++));
    return undefined;
  }

  #enter({ node }: Frame, next: Node): Node | undefined {
    this.#count(next);
    const edge = { from: node.key, transition: next.transition, to: next.key };
    const isSafe = this.#abstraction.isSafe(next);
    const matched = isSafe ? this.#stack.findIndex((frame) => frame.node.key === next.key) : -1;
    if (matched >= 0) {
      this.#match(matched, edge);
      if (this.#mode === "concrete-cache") this.#cached.add(stateKey(next));
      return undefined;
    }
    this.#record(this.#fin, edge);
    if (!isSafe) return next;
    if (!this.#isSkipped(next)) this.#descend(next);
    return undefined;
  }

  /** The path closes a lasso at `matched`. */
  #match(matched: number, closing: Edge): void {
    const path = this.#stack.map(({ node, transition }) => [node.key, transition - 1] as const);
    for (const edge of loopOf(path.slice(0, -1), closing)) this.#record(this.#inf, edge); // sound: test/engines/guarded/checks.test.ts
    this.#use(closing.to, matched);
  }

  /** The abstract state at `index` of the path ended a path: all nodes below it depend on it. */
  #use(key: string, index: number): void {
    for (const { used } of this.#stack.slice(index + 1)) used.add(key);
  }

  #count(state: Symbolic): void {
    if (state.values.some(({ kind }) => kind !== "constant")) this.#symbolic++;
    else this.#states.add(stateKey(state));
  }

  #record(edges: Map<string, Edge>, edge: Edge): void {
    edges.set(edgeKey(edge), edge);
  }

  #descend(node: Node): void {
    this.#abstract.set(node.key, node);
    this.#expanded.push(node);
    this.#depth = Math.max(this.#depth, node.depth);
    this.#stack.push({ node, transition: 0, pending: [], used: new Set() });
    if (this.#mode === "concrete-cache") this.#cached.add(stateKey(node));
    if (this.#mode === "subsume") this.#keepRegion(node);
  }

  #leave({ node, used }: Frame): void {
    this.#stack.pop();
    if (this.#mode !== "path-memo") return;
    const key = stateKey(node);
    this.#memo.set(key, [...(this.#memo.get(key) ?? []), used]);
  }

  #isSkipped(node: Node): boolean {
    switch (this.#mode) {
      case "path":
        return false;
      case "concrete-cache":
        return this.#cached.has(stateKey(node));
      case "path-memo":
        return this.#isRemembered(node);
      case "subsume":
        return this.#isContained(node);
    }
  }

  #isRemembered(node: Node): boolean {
    const onPath = new Map(this.#stack.map(({ node: { key } }, index) => [key, index]));
    const fitting = this.#memo.get(stateKey(node))?.find((used) => [...used].every((key) => onPath.has(key))); // sound: test/engines/guarded/modes.test.ts
    if (!fitting) return false;
    const path = this.#stack.map(({ node: { key }, transition }) => [key, transition - 1] as const);
    for (const key of fitting) {
      const index = onPath.get(key) ?? 0;
      for (const edge of edgesOf(path.slice(index), node.key)) this.#record(this.#inf, edge);
      this.#use(key, index);
    }
    return true;
  }

  /** Only states with the same abstract state can contain each other. */
  #isContained(node: Node): boolean {
    const { solver, logic } = this.#abstraction;
    const regions = this.#regions.get(node.key) ?? [];
    if (regions.length === 0) return false;
    solver.push();
    try {
      for (const constraint of node.constraints) solver.assert(constraint);
      return regions.some((region) => {
        const outside = logic.terms.not(logic.at(region, node.values));
        return solver.check([outside], { purpose: "subsumption" }).kind === "unsat"; // sound: test/engines/guarded/modes.test.ts
      });
    } finally {
      solver.pop();
    }
  }

  #keepRegion(node: Node): void {
    const region = regionOf(this.#abstraction, node);
    if (region) this.#regions.set(node.key, [...(this.#regions.get(node.key) ?? []), region]);
  }
}

/** Equal keys: the same values and constraints. */
const stateKey = ({ values, constraints }: Symbolic): string =>
  `${values.map(({ id }) => id).join(",")};${constraints.map(({ id }) => id).join(",")}`;

/** A symbolic state as a formula over the variables of the program; undefined: too large. */
export function regionOf(
  { logic, solver }: Abstraction,
  { values, constraints }: Symbolic,
): Term | undefined {
  const { terms } = logic;
  const fixed = values.map((value, index) => {
    const variable = logic.variables[index];
    return variable ? terms.equal(variable, value) : terms.true;
  });
  const formula = terms.and([...fixed, ...constraints]);
  const own = new Set(logic.variables.map(({ id }) => id));
  const constants = constantsOf(formula, own);
  return solver.project(formula, constants);
}

function constantsOf(formula: Term, own: ReadonlySet<number>): VariableTerm[] {
  const found = new Map<number, VariableTerm>();
  const seen = new Set<number>();
  const visit = (term: Term): void => {
    if (seen.has(term.id)) return;
    seen.add(term.id);
    if (term.kind === "variable" && !own.has(term.id)) found.set(term.id, term);
    if (term.kind === "and" || term.kind === "or") term.all.forEach(visit);
    else if (term.kind === "not") visit(term.of);
    else if ("parts" in term) for (const { of } of term.parts) visit(of);
  };
  visit(formula);
  return [...found.values()];
}

/** First states, split; explicit variables without an initial value take every value. */
export function firstStates(abstraction: Abstraction): Node[] {
  const { logic } = abstraction;
  const { terms, program } = logic;
  const constants: VariableTerm[] = [];
  let choices: readonly (readonly Term[])[] = [[]];
  for (const { name, initial, isExplicit, range } of program.variables) {
    const values: Term[] = [];
    if (initial !== undefined) values.push(terms.int(initial));
    else if (isExplicit && range)
      for (let value = range.low; value <= range.high; value++) values.push(terms.int(value));
    else {
      const constant = terms.variable(`${name}'first`, "int");
      constants.push(constant);
      values.push(constant);
    }
    choices = choices.flatMap((before) => values.map((value) => [...before, value]));
  }
  return choices.flatMap((values) => {
    const constraint = logic.at(logic.initial, values);
    if (constraint === terms.false) return [];
    const constraints =
      constraint.kind === "and" ? constraint.all : constraint === terms.true ? [] : [constraint];
    if (constraints.length > 0 && !abstraction.isSatisfiable(constraints, "feasibility")) return []; // sound: test/engines/guarded/checks.test.ts
    return abstraction
      .split({ values, constraints })
      .map((part): Node => ({ ...part, parent: undefined, transition: -1, inputs: constants, depth: 0 }));
  });
}

/** Successors by an enabled transition. Constants of inputs are numbered by the length of the path, so that no two of a path are equal. */
export function successorsOf(abstraction: Abstraction, node: Node, transition: number): Node[] {
  const { logic } = abstraction;
  const taken = logic.program.transitions[transition];
  if (!taken) throw new Error(`there is no transition ${transition}`);
  const depth = node.depth + 1;
  const inputs = taken.assignments.flatMap(({ variable, value }) =>
    value === "nondet" ? [logic.terms.variable(`${variable}'${depth}`, "int")] : [],
  );
  const values = logic.exec(taken, node.values, inputs);
  return abstraction
    .split({ values, constraints: node.constraints })
    .map((part): Node => ({ ...part, parent: node, transition, inputs, depth }));
}
