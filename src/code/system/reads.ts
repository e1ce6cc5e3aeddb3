/**
 * Reads of a condition: fields of nodes, and the network. Recorded during evaluation (`read-recorder.ts`), over all states:
 * unread data cannot have affected its value.
 */
import { ALL, NETWORK, UP, type NewReads } from "./read-recorder.js";

export class Reads {
  network = false;
  /** Its number in the realm. */
  readonly number = ++made;
  /** By node; undefined: unread, "all": arbitrary reads. */
  readonly #fields: (Set<string> | "all" | undefined)[] = [];

  fieldsOf(node: number): ReadonlySet<string> | "all" | undefined {
    return this.#fields[node];
  }

  /** Adds reads that the realm reported. */
  learn(news: NewReads): void {
    for (const [node, what] of news)
      if (node === NETWORK) this.network = true;
      else if (what === ALL) this.#fields[node] = "all";
      else if (what === UP) this.#fields[node] ??= new Set();
      else {
        const fields = (this.#fields[node] ??= new Set());
        if (fields !== "all") fields.add(what.field);
      }
  }
}

let made = 0;
