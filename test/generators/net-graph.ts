/** Decides properties of nets naively, on the strongly connected components of the whole graph of markings. */
import type { Net } from "../../src/model/index.js";
import { fired, type Marking } from "./net-oracle.js";

export type Predicate = (marking: Marking) => boolean;

interface Node {
  readonly marking: Marking;
  readonly edges: { readonly to: string; readonly transition: number }[];
}

export class NetGraph {
  readonly #nodes = new Map<string, Node>();
  readonly #first: string;

  private constructor(net: Net) {
    this.#first = net.initial.join();
    this.#nodes.set(this.#first, { marking: net.initial, edges: [] });
    for (const { marking, edges } of this.#nodes.values()) {
      if (this.#nodes.size > MOST) return;
      for (const [transition, each] of net.transitions.entries()) {
        const next = fired(each, marking);
        if (!next) continue;
        const to = next.join();
        edges.push({ to, transition });
        if (!this.#nodes.has(to)) this.#nodes.set(to, { marking: next, edges: [] });
      }
    }
  }

  /** Undefined if there are too many markings. */
  static of(net: Net): NetGraph | undefined {
    const graph = new NetGraph(net);
    return graph.size > MOST ? undefined : graph;
  }

  get size(): number {
    return this.#nodes.size;
  }

  always(holds: Predicate): boolean {
    return [...this.#nodes.values()].every(({ marking }) => holds(marking));
  }

  hasDeadlock(): boolean {
    return [...this.#nodes.values()].some(({ edges }) => edges.length === 0);
  }

  /** `F p`: no execution stays outside of p forever. */
  eventually(holds: Predicate): boolean {
    const inside = this.#reachable((marking) => !holds(marking));
    return !this.#canStay(inside, "all");
  }

  /** `G F p`; over all executions, or over weakly fair ones. */
  againAndAgain(holds: Predicate, fairness: "all" | "weak" = "all"): boolean {
    const inside = new Set([...this.#nodes].filter(([, { marking }]) => !holds(marking)).map(([key]) => key));
    return !this.#canStay(inside, fairness);
  }

  /** `F G p`. */
  fromSomeTimeOn(holds: Predicate): boolean {
    const everywhere = new Set(this.#nodes.keys());
    return ![...this.#nodes].some(
      ([key, { marking, edges }]) =>
        !holds(marking) && (edges.length === 0 || this.#componentOf(key, everywhere) !== undefined),
    );
  }

  #reachable(holds: Predicate): Set<string> {
    const found = new Set(holds(this.#nodes.get(this.#first)!.marking) ? [this.#first] : []);
    for (const key of found)
      for (const { to } of this.#nodes.get(key)!.edges)
        if (holds(this.#nodes.get(to)!.marking)) found.add(to);
    return found;
  }

  /** Whether an execution ends in the set, or cycles in it. */
  #canStay(inside: ReadonlySet<string>, fairness: "all" | "weak"): boolean {
    return [...inside].some((key) => {
      if (this.#nodes.get(key)!.edges.length === 0) return true;
      const component = this.#componentOf(key, inside);
      return component !== undefined && (fairness === "all" || this.#isFair(component));
    });
  }

  /** Each transition fires inside, or is disabled somewhere. */
  #isFair(component: ReadonlySet<string>): boolean {
    const nodes = [...component].map((key) => this.#nodes.get(key)!);
    const fires = new Set(
      nodes.flatMap(({ edges }) =>
        edges.filter(({ to }) => component.has(to)).map(({ transition }) => transition),
      ),
    );
    const all = new Set(nodes.flatMap(({ edges }) => edges.map(({ transition }) => transition)));
    return [...all].every(
      (t) => fires.has(t) || nodes.some(({ edges }) => !edges.some(({ transition }) => transition === t)),
    );
  }

  /** The strongly connected component of the marking within a set; undefined if trivial. */
  #componentOf(key: string, inside: ReadonlySet<string>): ReadonlySet<string> | undefined {
    const after = (from: string): Set<string> => {
      const found = new Set<string>();
      const queue = [from];
      for (const each of queue)
        for (const { to } of this.#nodes.get(each)!.edges)
          if (inside.has(to) && !found.has(to)) {
            found.add(to);
            queue.push(to);
          }
      return found;
    };
    const reached = after(key);
    if (!reached.has(key)) return undefined;
    return new Set([...reached].filter((each) => after(each).has(key)));
  }
}

const MOST = 60;
