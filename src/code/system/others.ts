/** What the nodes outside of a group can come to: every state with everything that can reach it there, once. */
export class Others {
  // These stay short: a list is faster than a set.
  readonly #states: number[][];
  readonly #arrived: Trigger[][];
  readonly #steps: Possible[] = [];
  #next = 0;

  constructor(nodes: number) {
    this.#states = Array.from({ length: nodes }, () => []);
    this.#arrived = Array.from({ length: nodes }, () => []);
  }

  next(): Possible | undefined {
    return this.#steps[this.#next++];
  }

  enter(node: number, local: number, own: readonly Trigger[]): void {
    if (this.#states[node]!.includes(local)) return;
    this.#states[node]!.push(local);
    for (const trigger of own) this.#steps.push({ node, local, trigger });
    for (const trigger of this.#arrived[node]!) this.#steps.push({ node, local, trigger });
  }

  arrive(node: number, trigger: Trigger): void {
    if (this.#arrived[node]!.includes(trigger)) return;
    this.#arrived[node]!.push(trigger);
    for (const local of this.#states[node]!) this.#steps.push({ node, local, trigger });
  }
}

/** A step that may be made. */
export interface Possible {
  readonly node: number;
  readonly local: number;
  readonly trigger: Trigger;
}

/** What makes a node take a step, whatever its state. The same thing is the same object. */
export interface Trigger {
  readonly call: number;
  readonly isStart: boolean;
  /** Packets that are taken out of the network. */
  readonly frees: number;
  /** Budgets that it draws on, as bits. */
  readonly budgets: number;
}
