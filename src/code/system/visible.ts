/** Does a step of a node change anything that a condition has ever looked at? */
import { DataNode } from "./data-node.js";
import type { NodeProcess } from "./node-process.js";
import type { Reads } from "./reads.js";

export class Visible {
  readonly #nodes: readonly NodeProcess[];
  readonly #reads: Reads;
  readonly #known: Looks[];
  readonly #numbers = new Map<string, number>();

  constructor(nodes: readonly NodeProcess[], reads: Reads) {
    this.#nodes = nodes;
    this.#reads = reads;
    this.#known = nodes.map(() => ({ fields: 0, numbers: new Map<number, number>() }));
  }

  isChanged(node: number, before: number, after: number): boolean {
    if (before === after) return false;
    const fields = this.#reads.fieldsOf(node);
    if (fields === undefined) return false;
    const process = this.#nodes[node]!;
    if (process.state(before).isUp !== process.state(after).isUp) return true;
    // A state of a node that is replayed is its history: there is nothing to compare.
    if (fields === "all" || !(process instanceof DataNode)) return true;
    return this.#look(node, process, fields, before) !== this.#look(node, process, fields, after);
  }

  /** Equal numbers: it looks the same. */
  #look(node: number, process: DataNode, fields: ReadonlySet<string>, state: number): number {
    const known = this.#known[node]!;
    if (known.fields !== fields.size) this.#known[node] = { fields: fields.size, numbers: new Map() };
    const { numbers } = this.#known[node]!;
    let number = numbers.get(state);
    if (number === undefined) {
      const text = process.part(state, fields);
      number = this.#numbers.get(text) ?? this.#numbers.size;
      this.#numbers.set(text, number);
      numbers.set(state, number);
    }
    return number;
  }
}

/** By state of a node; made for so many fields, and a field that was looked at once stays. */
interface Looks {
  readonly fields: number;
  readonly numbers: Map<number, number>;
}
