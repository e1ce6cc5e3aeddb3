/** Determines whether a step of a node changes data that a condition has read. */
import { DataNode } from "./data-node.js";
import type { NodeProcess } from "./node-process.js";
import type { Reads } from "./reads.js";
import { nth } from "../../model/known.js";

export class Visible {
  readonly #nodes: readonly NodeProcess[];
  readonly #reads: readonly Reads[];
  /** By condition, then by node. */
  readonly #known: readonly FieldNumbers[][];
  readonly #numbers = new Map<string, number>();

  constructor(nodes: readonly NodeProcess[], reads: readonly Reads[]) {
    this.#nodes = nodes;
    this.#reads = reads;
    this.#known = reads.map(() => nodes.map(() => ({ fields: 0, numbers: new Map<number, number>() })));
  }

  /** Bits of the conditions that may distinguish the two states. Sharing a bit is safe: the conditions count as one. */
  seenBy(node: number, before: number, after: number): number {
    if (before === after) return 0;
    let mask = 0;
    for (let condition = 0; condition < this.#reads.length; condition++)
      if (this.#isSeen(condition, node, before, after)) mask |= 1 << (condition % 31);
    return mask;
  }

  #isSeen(condition: number, node: number, before: number, after: number): boolean {
    const fields = nth(this.#reads, condition).fieldsOf(node);
    if (fields === undefined) return false;
    const process = nth(this.#nodes, node);
    if (process.state(before).isUp !== process.state(after).isUp) return true;
    // The state of a replayed node is its history, which cannot be compared.
    if (fields === "all" || !(process instanceof DataNode)) return true;
    const ofNodes = nth(this.#known, condition);
    if (nth(ofNodes, node).fields !== fields.size)
      ofNodes[node] = { fields: fields.size, numbers: new Map() };
    const { numbers } = nth(ofNodes, node);
    return this.#look(process, fields, before, numbers) !== this.#look(process, fields, after, numbers);
  }

  /** Equal numbers: equal contents of the fields. */
  #look(process: DataNode, fields: ReadonlySet<string>, state: number, numbers: Map<number, number>): number {
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

/** By state of a node. Valid for this number of fields, since the set of read fields only grows. */
interface FieldNumbers {
  readonly fields: number;
  readonly numbers: Map<number, number>;
}
