/** What holds in a state, and along a run. */
import { Status, type Model, type Property, type Words } from "../model/index.js";
import { known, nth } from "../model/known.js";
import type { TruthView } from "./protocol.js";

/** Names of what can be judged in a state: propositions of temporal properties, and invariants. */
export const labelsOf = (model: Model): string[] => [
  ...(model.temporal?.properties.flatMap(({ propositions }) => propositions.map(({ name }) => name)) ?? []),
  ...model.invariants.map((property) => labelOf(property)),
];

/** A cover is false in the states to be reached; its label marks these. */
const isGoal = ({ kind }: Property): boolean => kind === "cover" || kind === "coverability";

const labelOf = (property: Property): string =>
  isGoal(property) ? `reached: ${property.name}` : property.name;

/** Numbers of the labels that hold. */
export function labelsIn(model: Model, words: Words): number[] {
  const labels: number[] = [];
  let first = 0;
  const { temporal } = model;
  for (const [index, { propositions }] of temporal?.properties.entries() ?? []) {
    const valuation = known(temporal, "the temporal facet").steps.valuation(index, words, 0);
    for (const [bit] of propositions.entries())
      if (valuation >= 0 && ((valuation >>> bit) & 1) === 1) labels.push(first + bit);
    first += propositions.length;
  }
  for (const [index, property] of model.invariants.entries())
    if (model.holds(index, words, 0) !== isGoal(property)) labels.push(first + index);
  return labels;
}

/** Records at which positions of a run the truth of each label changes. States inside an atomic sequence are not judged. */
export class Truths {
  readonly #model: Model;
  readonly #all: { readonly name: string; readonly isTrueAtFirst: boolean; readonly flips: number[] }[] = [];
  #holding: ReadonlySet<number> = new Set();
  #position = -1;
  /** A condition that cannot be evaluated ends the record: the trace is shown without it. */
  #isBroken = false;

  constructor(model: Model) {
    this.#model = model;
  }

  readonly note = (state: Words): void => {
    this.#position++;
    if (this.#isBroken || (this.#model.steps.status(state, 0) & Status.intermediate) !== 0) return;
    try {
      this.#judge(new Set(labelsIn(this.#model, state)));
    } catch {
      this.#isBroken = true;
    }
  };

  #judge(holding: ReadonlySet<number>): void {
    if (this.#all.length === 0)
      for (const [label, name] of labelsOf(this.#model).entries())
        this.#all.push({ name, isTrueAtFirst: holding.has(label), flips: [] });
    else
      for (const label of this.#all.keys())
        if (holding.has(label) !== this.#holding.has(label)) nth(this.#all, label).flips.push(this.#position);
    this.#holding = holding;
  }

  get view(): readonly TruthView[] {
    return this.#isBroken ? [] : this.#all;
  }
}
