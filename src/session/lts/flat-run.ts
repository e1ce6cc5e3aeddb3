/** A run of the uncomposed product, found step by step from the moves of its parts. */
import type { LtsProduct, NetworkStep } from "../../compile/lts.js";
import type { PartStep } from "../../engines/compositional/index.js";
import { TAU_NAME, type Property, type Trace, type Words } from "../../model/index.js";
import { known, nth } from "../../model/known.js";
import { firstWords } from "./refuting.js";

/** Where a part goes. */
export interface Move {
  readonly target: number;
  readonly label: string;
}

export class FlatRun {
  readonly #product: LtsProduct;
  readonly #origins: readonly number[];
  readonly #isVisible: (label: string) => boolean;
  readonly #moveOf: (part: number, transition: number) => Move;
  readonly #ownMoveOf: (part: number, transition: number) => Move;
  readonly #choices: number[] = [];
  #words: Words | undefined;
  #fault = -1;
  #isOver = false;

  /** `moveOf`: of a part of the composition; `ownMoveOf`: of a part of the product. */
  constructor(
    product: LtsProduct,
    origins: readonly number[],
    isVisible: (label: string) => boolean,
    moveOf: (part: number, transition: number) => Move,
    ownMoveOf: (part: number, transition: number) => Move,
  ) {
    this.#product = product;
    this.#origins = origins;
    this.#isVisible = isVisible;
    this.#moveOf = moveOf;
    this.#ownMoveOf = ownMoveOf;
    this.#words = firstWords(product.model.steps);
  }

  get length(): number {
    return this.#choices.length;
  }

  get place(): string {
    return this.#words?.join() ?? "";
  }

  /** With the parts in these states. */
  start(positions: ReadonlyMap<number, number>): void {
    if (!this.#product.model.steps.hasRoot) return;
    const isThere = ({ words }: NetworkStep): boolean =>
      words !== undefined &&
      [...positions].every(([part, state]) => words[nth(this.#origins, part)] === state + 1);
    this.#choose(this.#steps().findIndex(isThere), "the initial state");
  }

  /** Throws if the product has no such step. The run is over when it violates the property, or ends with an error. */
  take(step: PartStep, { name }: Property): void {
    if (this.#isOver) return;
    const steps = this.#steps();
    const fitting = [...steps.keys()].filter((i) => this.#fits(nth(steps, i), step));
    const owner = (i: number): string | undefined => this.#product.model.sites[nth(steps, i).fault]?.owner;
    const failing = fitting.find((i) => owner(i) === name);
    const passing = fitting.find((i) => nth(steps, i).words !== undefined);
    this.#choose(failing ?? passing ?? fitting[0] ?? -1, `'${step.label ?? TAU_NAME}'`);
    this.#isOver ||= failing !== undefined;
  }

  trace(loopStart: number | undefined): Trace {
    return { choices: this.#choices, fault: this.#fault, loopStart };
  }

  #steps(): readonly NetworkStep[] {
    return this.#product.stepsOf(known(this.#words, "a state after the error"), false);
  }

  #choose(choice: number, what: string): void {
    const step = this.#steps()[choice];
    if (!step) throw new Error(`the uncomposed product cannot take ${what}`);
    this.#choices.push(choice);
    this.#fault = step.fault;
    this.#words = step.words;
    this.#isOver = step.words === undefined;
  }

  #fits({ label, taken }: NetworkStep, { moves, label: wanted }: PartStep): boolean {
    if (wanted === undefined ? label !== TAU_NAME && this.#isVisible(label) : label !== wanted) return false;
    return this.#origins.every((part, index) => {
      const transition = moves.get(index);
      const own = taken[part];
      if (transition === undefined || own === undefined || own < 0)
        return transition === undefined && (own === undefined || own < 0);
      const [a, b] = [this.#moveOf(index, transition), this.#ownMoveOf(part, own)];
      return a.target === b.target && a.label === b.label;
    });
  }
}
