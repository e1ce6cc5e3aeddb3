/**
 * What a condition looks at: of which nodes which fields, and whether at the network. Noted while it runs (`watched.ts`), over all states in
 * which it ran: what a condition has not looked at cannot have changed its answer.
 */
import { ALL, NETWORK, UP, type News } from "./watched.js";

export class Reads {
  network = false;
  /** By which the realm knows it. */
  readonly number = ++made;
  /** By node; undefined: nobody looked, "all": at anything. */
  readonly #fields: (Set<string> | "all" | undefined)[] = [];

  fieldsOf(node: number): ReadonlySet<string> | "all" | undefined {
    return this.#fields[node];
  }

  /** What the realm has told. */
  learn(news: News): void {
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
