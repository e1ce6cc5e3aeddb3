/**
 * Decides a property of an NDLog program on its derivation pool.
 *
 * First every combination of derivations of the antecedent's tuples is queried. If it can only be violated below open leaves, lemmas are
 * tried: the property itself by induction, then inferred ones. The rest is unfolded best-first, in turn over the combinations.
 */
import type { PoolCase } from "../../model/certificate.js";
import type { NdlogLemma, NdlogProgram, NdlogProperty } from "../../model/ndlog.js";
import { counterexampleOf, rulesOf, type Counterexample } from "./counterexample.js";
import { inferred, provable } from "./lemmas.js";
import { combinations, nodesOf, PoolTooLarge, type Node, type Pool } from "./pool.js";
import { pathTo, treeOf, type PoolEvidence } from "./proof.js";
import type { Claim, Combination, Queries } from "./query.js";

export interface PoolOptions {
  /** Most expansions of open leaves. */
  readonly maxUnfoldings: number;
  /** Infers lemmas; off for comparisons. */
  readonly infers?: boolean;
}

export const DEFAULT_UNFOLDINGS = 100;
/** Before lemmas are inferred: these cost more queries than a shallow violation or proof. */
const FIRST_UNFOLDINGS = 8;

/** About one combination of derivations of the antecedent. */
export interface CombinationReport {
  /** `r3+r4` */
  readonly rules: string;
  status: "holds" | "vacuous" | "violated" | "open";
}

export type PoolAnswer =
  | {
      readonly kind: "holds";
      /** No derivation matches the antecedent. */
      readonly isVacuous: boolean;
      /** Lemmas that the proof needs, beyond declared ones. */
      readonly lemmas: readonly NdlogLemma[];
      readonly isInductive: boolean;
      readonly proof: PoolEvidence;
    }
  | { readonly kind: "violated"; readonly counterexample: Counterexample; readonly rules: string }
  | { readonly kind: "undecided"; readonly reason: string };

export interface Verified {
  readonly answer: PoolAnswer;
  readonly combinations: readonly CombinationReport[];
  readonly unfoldings: number;
}

/** Yields between queries, so that the caller can watch time. */
export function* verify(
  queries: Queries,
  property: NdlogProperty,
  declared: readonly NdlogLemma[],
  { maxUnfoldings, infers = true }: PoolOptions,
): Generator<undefined, Verified> {
  const run = new Run(queries, property, declared);
  try {
    yield* run.start();
    if (infers && run.isOpen) {
      yield* run.unfold(Math.min(FIRST_UNFOLDINGS, maxUnfoldings));
      yield* run.infer();
    }
    yield* run.unfold(maxUnfoldings);
    run.giveUp(maxUnfoldings);
  } catch (error) {
    if (!(error instanceof PoolTooLarge)) throw error;
    run.undecided ??= error.message;
  }
  return run.result();
}

/** A combination, partly unfolded. */
interface State extends Combination {
  readonly size: number;
}

interface Branch {
  readonly report: CombinationReport;
  /** Sorted by size, largest first. */
  readonly waiting: State[];
  /** No closed state has an instance that matches the antecedent. */
  isVacuous: boolean;
}

class Run {
  readonly #queries: Queries;
  readonly #pool: Pool;
  readonly #program: NdlogProgram;
  readonly #property: NdlogProperty;
  readonly #claim: Claim;
  readonly #branches: Branch[] = [];
  #lemmas: readonly NdlogLemma[];
  #used: readonly NdlogLemma[] = [];
  #isInductive = false;
  #unfoldings = 0;
  #cases: PoolCase[] = [];
  #found: { counterexample: Counterexample; rules: string } | undefined;
  undecided: string | undefined;

  constructor(queries: Queries, property: NdlogProperty, lemmas: readonly NdlogLemma[]) {
    this.#queries = queries;
    this.#pool = queries.pool;
    this.#program = queries.pool.program;
    this.#property = property;
    this.#claim = { when: property.when, alternatives: property.alternatives };
    this.#lemmas = lemmas;
  }

  /** No violation is known, and combinations are open. */
  get isOpen(): boolean {
    return !this.#found && this.#branches.some(({ waiting }) => waiting.length > 0);
  }

  /** Every combination, even after a violation: the report names all that violate. */
  *start(): Generator<undefined> {
    const lists = this.#property.when.atoms.map(({ predicate }) => this.#pool.entries(predicate));
    if (lists.reduce((size, { length }) => size * length, 1) > MOST_COMBINATIONS)
      throw new PoolTooLarge(`the antecedent has more than ${MOST_COMBINATIONS} combinations of derivations`);
    for (const chosen of combinations(lists)) {
      const parts = chosen.map((entry) => this.#pool.instance(entry)); // sound: test/engines/pools/traps.test.ts
      const roots = parts.map(({ node }) => node);
      const report: CombinationReport = { rules: rulesOf(this.#program, roots), status: "holds" };
      const branch: Branch = { report, waiting: [], isVacuous: true };
      this.#branches.push(branch);
      this.#judge(
        branch,
        stateOf(
          parts.flatMap(({ condition }) => condition),
          roots,
        ),
      );
      yield undefined;
    }
  }

  /** Queries a state: it closes, violates, or waits for unfolding. */
  #judge(branch: Branch, state: State): void {
    const answer = this.#queries.check(state, this.#claim, this.#lemmas, "property");
    switch (answer.kind) {
      case "holds":
        this.#cases.push({ trees: state.roots.map(treeOf) });
        if (!answer.isVacuous) branch.isVacuous = false; // sound: test/engines/pools/traps.test.ts
        return;
      case "unknown":
        this.undecided ??= answer.reason;
        return;
      case "possible":
        if (isClosed(state)) this.#violate(branch, state, answer.formulas);
        else insert(branch.waiting, state);
    }
  }

  #violate(branch: Branch, { roots }: State, formulas: Parameters<Queries["model"]>[0]): void {
    const model = this.#queries.model(formulas, roots);
    if (!model) {
      this.undecided ??= "the solver gives no model of a violation";
      return;
    }
    branch.isVacuous = false;
    const doubts = this.#queries.doubts(formulas, roots, model);
    if (doubts.length > 0) {
      branch.report.status = "open";
      this.undecided ??= `a possible ${this.#property.asks === "always" ? "violation" : "derivation"} by ${branch.report.rules} depends on the values of ${doubts.join(", ")}, whose meaning is not analysed`;
      return;
    }
    branch.report.status = "violated";
    const counterexample = counterexampleOf(this.#program, this.#property, roots, model);
    const isSmaller = !this.#found || counterexample.events.length < this.#found.counterexample.events.length;
    if (isSmaller) this.#found = { counterexample, rules: branch.report.rules };
  }

  *infer(): Generator<undefined> {
    if (!this.isOpen || this.undecided !== undefined) return;
    yield undefined;
    if (this.#byInduction()) return;
    const inside = new Set(
      this.#property.alternatives.flatMap(({ atoms }) => atoms.map(({ predicate }) => predicate)),
    );
    const candidates: NdlogLemma[] = [];
    for (const predicate of inside) {
      candidates.push(...inferred(this.#queries, predicate));
      yield undefined;
    }
    const { proved } = provable(this.#queries, [...this.#lemmas, ...candidates]);
    yield undefined;
    this.#used = proved.filter((lemma) => candidates.includes(lemma));
    if (this.#used.length === 0) return;
    this.#lemmas = proved;
    for (const branch of this.#branches) {
      const states = branch.waiting.splice(0);
      for (const state of states) this.#judge(branch, state);
      yield undefined;
    }
    if (this.isOpen) this.#byInduction();
  }

  /** The property as a lemma about its only tuple: if it is provable, it holds. */
  #byInduction(): boolean {
    const { when, alternatives, name, variables, span } = this.#property;
    const [predicate, ...more] = when.atoms.map((atom) => atom.predicate);
    const [then, ...others] = alternatives;
    if (predicate === undefined || more.length > 0 || !then || others.length > 0) return false;
    if (!this.#pool.cut.has(predicate)) return false;
    const lemma: NdlogLemma = { name, variables, when, then, span };
    const { proved } = provable(this.#queries, [...this.#lemmas, lemma]);
    if (!proved.includes(lemma)) return false;
    this.#lemmas = proved;
    this.#cases = this.#pool.entries(predicate).map(({ node }) => ({ trees: [treeOf(node)] }));
    for (const branch of this.#branches) {
      branch.isVacuous &&= branch.waiting.length === 0;
      branch.waiting.length = 0;
    }
    this.#isInductive = true;
    return true;
  }

  *unfold(most: number): Generator<undefined> {
    while (this.isOpen && this.undecided === undefined)
      for (const branch of this.#branches) {
        const state = branch.waiting.pop();
        if (!state || this.#found) continue;
        if (this.#unfoldings >= most) {
          branch.waiting.push(state);
          return;
        }
        this.#unfoldings++;
        for (const next of this.#expanded(state)) this.#judge(branch, next);
        yield undefined;
      }
  }

  /** Says that open states are left. */
  giveUp(most: number): void {
    const state = this.#branches.map(({ waiting }) => waiting.at(-1)).find((each) => each !== undefined);
    if (state && !this.#found)
      this.undecided ??= `${most} unfoldings did not decide: a violation below ${this.#openText(state)} is neither confirmed nor excluded`;
  }

  /** The shallowest open leaf, replaced by each of its derivations. */
  #expanded({ condition, roots }: State): State[] {
    const leaf = shallowest(roots);
    if (!leaf) return [];
    this.#cases.push({ trees: roots.map(treeOf), unfold: pathTo(roots, leaf) });
    const { terms } = this.#pool.encoder;
    return this.#pool.entries(leaf.predicate).map((entry) => {
      const own = this.#pool.instance(entry);
      const equal = leaf.args.map((arg, index) => terms.equal(arg, own.node.args[index] ?? arg));
      return stateOf(
        [...condition, ...own.condition, ...equal],
        roots.map((root) => replaced(root, leaf, own.node)),
      );
    });
  }

  #openText({ roots }: State): string {
    const names = roots
      .flatMap(nodesOf)
      .flatMap(({ by, predicate }) =>
        by === "rec" ? [this.#program.predicates[predicate]?.name ?? ""] : [],
      );
    return [...new Set(names)].join(", ");
  }

  result(): Verified {
    for (const { report, waiting, isVacuous } of this.#branches)
      if (report.status === "holds" && waiting.length > 0) report.status = "open";
      else if (report.status === "holds" && isVacuous) report.status = "vacuous";
    return {
      answer: this.#answer(),
      combinations: this.#branches.map(({ report }) => report),
      unfoldings: this.#unfoldings,
    };
  }

  #answer(): PoolAnswer {
    if (this.#found) return { kind: "violated", ...this.#found };
    if (this.undecided !== undefined) return { kind: "undecided", reason: this.undecided }; // sound: test/engines/pools/traps.test.ts
    if (this.isOpen) return { kind: "undecided", reason: "the search was not finished" };
    const isVacuous = this.#branches.every(({ isVacuous: each }) => each);
    const proof = { cases: this.#cases, lemmas: this.#lemmas };
    return { kind: "holds", isVacuous, lemmas: this.#used, isInductive: this.#isInductive, proof };
  }
}

const MOST_COMBINATIONS = 20_000;

function stateOf(condition: Combination["condition"], roots: readonly Node[]): State {
  const nodes = roots.flatMap(nodesOf);
  const open = nodes.filter(({ by }) => by === "rec").length;
  return { condition, roots, size: nodes.length + open };
}

const isClosed = ({ roots }: State): boolean =>
  roots.every((root) => nodesOf(root).every(({ by }) => by !== "rec")); // sound: test/engines/pools/traps.test.ts

function insert(waiting: State[], state: State): void {
  const at = waiting.findIndex(({ size }) => size <= state.size);
  if (at < 0) waiting.push(state);
  else waiting.splice(at, 0, state);
}

function shallowest(roots: readonly Node[]): Node | undefined {
  let level: readonly Node[] = roots;
  while (level.length > 0) {
    const leaf = level.find(({ by }) => by === "rec");
    if (leaf) return leaf;
    level = level.flatMap(({ children }) => children);
  }
  return undefined;
}

const replaced = (node: Node, leaf: Node, by: Node): Node =>
  node === leaf ? by : { ...node, children: node.children.map((child) => replaced(child, leaf, by)) };
