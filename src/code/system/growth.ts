/** Detects fields of nodes that take ever new values, so that a search ends and names them (`fieldValues` in the system file). */
import { inspect } from "node:util";
import type { Words } from "../../model/index.js";
import { nth } from "../../model/known.js";
import { plainly } from "./explain.js";
import type { Network } from "./network.js";
import { NotSupported, type NodeProcess } from "./node-process.js";
import type { SystemSummary } from "./summary.js";

export class Growth {
  readonly #summary: SystemSummary;
  readonly #nodes: readonly NodeProcess[];
  readonly #network: Network;
  /** Numbers of states at which each node is looked at next. */
  readonly #next: number[];

  constructor(summary: SystemSummary, nodes: readonly NodeProcess[], network: Network) {
    this.#summary = summary;
    this.#nodes = nodes;
    this.#network = network;
    this.#next = nodes.map(() => 2 * (summary.fieldValues ?? Infinity));
  }

  /** Throws if a field, or the messages on their way, seem to be unbounded. */
  check(state: Words, at: number): void {
    const { fieldValues: limit, nodes: names } = this.#summary;
    if (limit === undefined) return;
    this.#nodes.forEach((node, i) => {
      if (node.states < nth(this.#next, i)) return;
      this.#next[i] = 2 * node.states;
      const grown = grownField(node, limit);
      // sound: test/code/machines/runtime.test.ts
      if (grown !== undefined) throw new NotSupported(growthText(`${names[i]}.${grown}`, limit));
    });
    const packets = this.#network.packets(nth(state, at + names.length)).length;
    // sound: test/code/machines/runtime.test.ts
    if (packets > MOST_PACKETS)
      throw new NotSupported(
        `more than ${MOST_PACKETS} messages wait for their receivers: mailboxes are not bounded`,
      );
  }
}

const growthText = (field: string, limit: number): string =>
  `${field} takes more than ${limit} values, so the states are not finite; bound it, or allow more by 'fieldValues'`;

const MOST_PACKETS = 64;

/** The field with the most values, if they exceed the limit. */
function grownField(node: NodeProcess, limit: number): string | undefined {
  const values = new Map<string, Set<string>>();
  for (let number = 1; number <= node.states; number++)
    eachLeaf(node.view(number), "", (path, value) => {
      const known = values.get(path) ?? new Set();
      values.set(path, known.add(value));
    });
  const [most] = [...values].sort((a, b) => b[1].size - a[1].size);
  return most && most[1].size > limit ? most[0] : undefined;
}

/** Lists count as one value. */
function eachLeaf(value: unknown, path: string, visit: (path: string, value: string) => void): void {
  if (typeof value !== "object" || value === null) return visit(path, String(value));
  if (Array.isArray(value) && value.length > 0) return visit(path, inspect(value, { ...plainly, depth: 6 }));
  for (const key of Object.keys(value)) {
    const { value: held } = Object.getOwnPropertyDescriptor(value, key) ?? {};
    if (!SKIPPED.has(key)) eachLeaf(held, path === "" ? key : `${path}.${key}`, visit);
  }
}

/** Of the checker, and the same in all states. */
const SKIPPED = new Set(["environment"]);
