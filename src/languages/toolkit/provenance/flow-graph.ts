/**
 * Builds control-flow graphs of principals from edges and silent jumps. `finish` eliminates the jumps, so that loops
 * and choices add no steps.
 */
import type { MessageEdge } from "../../../model/messages.js";
import { nth, entryOf } from "../../../model/known.js";

export class FlowGraph {
  readonly #edges: MessageEdge[][] = [[]];
  readonly #jumps: number[][] = [[]];

  /** Location 0 is initial. */
  newLocation(): number {
    this.#jumps.push([]);
    return this.#edges.push([]) - 1;
  }

  addEdge(from: number, edge: MessageEdge): void {
    nth(this.#edges, from).push(edge);
  }

  addJump(from: number, to: number): void {
    nth(this.#jumps, from).push(to);
  }

  /** Outgoing edges of each reachable location. */
  finish(): MessageEdge[][] {
    const numbers = new Map<number, number>();
    const order: number[] = [];
    const numberOf = (location: number): number => {
      const target = this.#landing(location);
      if (!numbers.has(target)) numbers.set(target, order.push(target) - 1);
      return entryOf(numbers, target);
    };
    numberOf(0);
    const locations: MessageEdge[][] = [];
    for (let i = 0; i < order.length; i++)
      locations.push(this.#leaving(nth(order, i)).map((edge) => ({ ...edge, to: numberOf(edge.to) })));
    return locations;
  }

  /** Follows jumps as long as a location has no other successor. */
  #landing(location: number): number {
    const seen = new Set<number>();
    let at = location;
    while (nth(this.#edges, at).length === 0 && nth(this.#jumps, at).length === 1 && !seen.has(at)) {
      seen.add(at);
      at = nth(nth(this.#jumps, at), 0);
    }
    return at;
  }

  /** Outgoing edges, including edges after jumps. */
  #leaving(location: number): MessageEdge[] {
    const seen = new Set([location]);
    for (const at of seen) for (const to of nth(this.#jumps, at)) seen.add(to);
    return [...seen].flatMap((at) => nth(this.#edges, at));
  }
}
