/* expected: holds */
/**
 * A queue in one place: items leave in the order in which they came, each once. A specification of
 * examples/code/systems/replicated-queue.ts.
 */
import { defineSystem, type Node } from "everypath/system";

class Queue implements Node {
  /** Items that are put and not acknowledged yet, and items that are put and not taken yet. */
  open: number[] = [];
  items: number[] = [];
  acknowledged: number[] = [];
  received: number[] = [];
  #puts = 0;

  onStart(): void {
    this.open = [];
  }

  put(): void {
    this.#puts++;
    this.open = [...this.open, this.#puts];
    this.items = [...this.items, this.#puts];
  }

  acknowledge(): void {
    const [id, ...open] = this.open;
    if (id === undefined) return;
    this.open = open;
    this.acknowledged = [...this.acknowledged, id];
  }

  take(): void {
    const [item = 0, ...items] = this.items;
    this.items = items;
    this.received = [...this.received, item];
  }
}

export default defineSystem<Queue>({
  nodes: { queue: () => new Queue() },
  actions: {
    put: { times: 1, run: (queue) => queue.put() },
    acknowledge: { times: 1, run: (queue) => queue.acknowledge() },
    take: { times: 2, run: (queue) => queue.take() },
  },
  observe: ({ nodes }) => {
    const { acknowledged = [], received = [] } = nodes["queue"] ?? {};
    return { acknowledged, received };
  },
  always: {
    "nothing leaves twice": ({ nodes }) => {
      const items = (nodes["queue"]?.received ?? []).filter((item) => item !== 0);
      return new Set(items).size === items.length;
    },
  },
});
