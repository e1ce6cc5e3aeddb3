/** Reachable combinations of local states and triggers of the nodes outside a group, each once. */
import { nth } from "../../model/known.js";
export class ReachableSteps {
  // Lists, because they are short and faster than sets.
  readonly #states: number[][];
  readonly #arrived: Trigger[][];
  readonly #steps: PossibleStep[] = [];
  #next = 0;

  constructor(nodes: number) {
    this.#states = Array.from({ length: nodes }, () => []);
    this.#arrived = Array.from({ length: nodes }, () => []);
  }

  next(): PossibleStep | undefined {
    return this.#steps[this.#next++];
  }

  enter(node: number, local: number, own: readonly Trigger[]): void {
    if (nth(this.#states, node).includes(local)) return;
    nth(this.#states, node).push(local);
    for (const trigger of own) this.#steps.push({ node, local, trigger });
    for (const trigger of nth(this.#arrived, node)) this.#steps.push({ node, local, trigger });
  }

  arrive(node: number, trigger: Trigger): void {
    if (nth(this.#arrived, node).includes(trigger)) return;
    nth(this.#arrived, node).push(trigger);
    for (const local of nth(this.#states, node)) this.#steps.push({ node, local, trigger });
  }
}

export interface PossibleStep {
  readonly node: number;
  readonly local: number;
  readonly trigger: Trigger;
}

/** Cause of a node's step, independent of its state. Equal triggers are identical objects. */
export interface Trigger {
  readonly call: number;
  readonly isStart: boolean;
  /** Number of packets removed from the network. */
  readonly frees: number;
  /** Bits of budgets that it uses. */
  readonly budgets: number;
}
