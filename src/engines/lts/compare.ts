/**
 * Compares two systems. A difference comes with evidence, a formula or a trace, that was evaluated on both systems as the relation
 * sees them: the first satisfies it, the second does not, or conversely.
 */
import { disjointUnion, type Lts } from "../../model/index.js";
import { Distinguisher } from "./distinguish.js";
import { Evaluator, showsTrace } from "./evaluate.js";
import { depthOf, renderFormula, type ActionFormula } from "./formula.js";
import { partitioningView, type Partition, type Slices } from "./partition.js";
import {
  isEquivalence,
  seenBy,
  type BasicEquivalence,
  type Equivalence,
  type Preorder,
  type Relation,
} from "./relations.js";
import { SimulationGame, type Unmatched } from "./simulation.js";
import { TraceInclusion, type MissingTrace } from "./traces.js";
import { viewed } from "./view.js";

export interface Comparison {
  readonly isRelated: boolean;
  /** Blocks of both systems together, of the relation or of the equivalence that was used to make the systems smaller. */
  readonly blocks: number;
  /** Of different systems. */
  readonly evidence?: Evidence;
}

/** `in`: the system that has it; the other one has not. */
export type Evidence =
  | {
      readonly kind: "formula";
      readonly in: "first" | "second";
      readonly text: string;
      readonly depth: number;
    }
  | { readonly kind: "trace"; readonly in: "first"; readonly labels: readonly string[] };

export const comparing = (first: Lts, second: Lts, relation: Relation): Slices<Comparison> =>
  new Comparing(first, second, relation);

class Comparing implements Slices<Comparison> {
  readonly #first: Lts;
  readonly #second: Lts;
  readonly #relation: Relation;
  readonly #partitioning: Slices<Partition>;
  #partition: Partition | undefined;
  #game: Slices<MissingTrace> | Slices<Unmatched> | undefined;

  constructor(first: Lts, second: Lts, relation: Relation) {
    const finer: Equivalence = isEquivalence(relation) ? relation : reducedBy[relation];
    this.#first = viewed(first, finer);
    this.#second = viewed(second, finer);
    this.#relation = relation;
    this.#partitioning = partitioningView(disjointUnion(this.#first, this.#second), seenBy[finer].base);
  }

  get handled(): number {
    return this.#partitioning.handled + (this.#game?.handled ?? 0);
  }

  get bytes(): number {
    return this.#partitioning.bytes + (this.#game?.bytes ?? 0);
  }

  advance(quota: number): boolean {
    if (this.#game) return this.#game.advance(quota);
    if (this.#partitioning.advance(quota)) return true;
    this.#partition = this.#partitioning.result();
    if (isEquivalence(this.#relation)) return false;
    const { quotient } = this.#partition;
    const [mine, theirs] = this.#initials(this.#partition);
    this.#game =
      this.#relation === "trace"
        ? new TraceInclusion(quotient, mine, theirs)
        : new SimulationGame(quotient, mine, theirs);
    return true;
  }

  result(): Comparison {
    const partition = this.#partition;
    if (!partition) throw new Error("the comparison has not ended");
    const evidence = isEquivalence(this.#relation)
      ? this.#difference(partition, this.#relation)
      : this.#failure(this.#game?.result());
    if (evidence) this.#confirm(evidence);
    return {
      isRelated: evidence === undefined,
      blocks: partition.count,
      ...(evidence ? { evidence: evidence.shown } : {}),
    };
  }

  /** Blocks of the initial states of both systems. */
  #initials({ blocks }: Partition): readonly [readonly number[], readonly number[]] {
    const shift = this.#first.states;
    const mine = this.#first.initial.map((s) => blocks[s]);
    return [[...new Set(mine)], [...new Set(this.#second.initial.map((s) => blocks[s + shift]))]];
  }

  #difference(partition: Partition, relation: Equivalence): Found | undefined {
    const [mine, theirs] = this.#initials(partition);
    // sound: test/engines/lts/compare.test.ts
    const only = mine.find((block) => !theirs.includes(block));
    const other = theirs.find((block) => !mine.includes(block));
    if (only === undefined && other === undefined) return undefined;
    const distinguisher = new Distinguisher(partition.quotient, seenBy[relation].base);
    if (only !== undefined) return found("first", distinguisher.fromAll(only, theirs));
    return found("second", distinguisher.fromAll(other as number, mine));
  }

  #failure(result: MissingTrace | Unmatched): Found | undefined {
    if (result === undefined) return undefined;
    if ("formula" in result) return found("first", result.formula);
    return { formula: undefined, shown: { kind: "trace", in: "first", labels: result } };
  }

  #confirm({ formula, shown }: Found): void {
    const holds = (lts: Lts): boolean => {
      if (shown.kind === "trace") return showsTrace(lts, shown.labels);
      const evaluator = new Evaluator(lts);
      return formula !== undefined && lts.initial.some((s) => evaluator.holdsIn(formula, s));
    };
    const [owner, other] = shown.in === "first" ? [this.#first, this.#second] : [this.#second, this.#first];
    // sound: test/engines/lts/compare.test.ts
    if (!holds(owner) || holds(other)) throw new Error("the evidence for a difference was not confirmed");
  }
}

/** Evidence with the formula itself. */
interface Found {
  readonly formula: ActionFormula | undefined;
  readonly shown: Evidence;
}

const found = (side: "first" | "second", formula: ActionFormula): Found => ({
  formula,
  shown: { kind: "formula", in: side, text: renderFormula(formula), depth: depthOf(formula) },
});

/** An equivalence that keeps the preorder: it makes the systems smaller first. */
const reducedBy: Readonly<Record<Preorder, BasicEquivalence>> = { trace: "branching", simulation: "strong" };
