/**
 * Control-flow graphs of principals while they are built: edges, and jumps that cost nothing. `finish` takes the jumps
 * out, so that loops and choices add no steps of their own.
 */
import type { MessageEdge } from "../../../model/messages.js";

export class FlowGraph {
  readonly #edges: MessageEdge[][] = [[]];
  readonly #jumps: number[][] = [[]];

  /** Location 0 is the start. */
  newLocation(): number {
    this.#jumps.push([]);
    return this.#edges.push([]) - 1;
  }

  addEdge(from: number, edge: MessageEdge): void {
    this.#edges[from]!.push(edge);
  }

  addJump(from: number, to: number): void {
    this.#jumps[from]!.push(to);
  }

  /** The edges that leave each reachable location. */
  finish(): MessageEdge[][] {
    const numbers = new Map<number, number>();
    const order: number[] = [];
    const numberOf = (location: number): number => {
      const target = this.#landing(location);
      if (!numbers.has(target)) numbers.set(target, order.push(target) - 1);
      return numbers.get(target)!;
    };
    numberOf(0);
    const locations: MessageEdge[][] = [];
    for (let i = 0; i < order.length; i++)
      locations.push(this.#leaving(order[i]!).map((edge) => ({ ...edge, to: numberOf(edge.to) })));
    return locations;
  }

  /** Where one stands after jumps that are the only way on. */
  #landing(location: number): number {
    const seen = new Set<number>();
    let at = location;
    while (this.#edges[at]!.length === 0 && this.#jumps[at]!.length === 1 && !seen.has(at)) {
      seen.add(at);
      at = this.#jumps[at]![0]!;
    }
    return at;
  }

  /** Edges that leave the location, by way of jumps, too. */
  #leaving(location: number): MessageEdge[] {
    const seen = new Set([location]);
    for (const at of seen) for (const to of this.#jumps[at]!) seen.add(to);
    return [...seen].flatMap((at) => this.#edges[at]!);
  }
}
