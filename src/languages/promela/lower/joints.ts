/** Resolves successors across nodes that are not separate steps. */
import { destinationOf, type Node } from "./nodes.js";
import { nth } from "../../../model/known.js";

/**
 * The node where control rests after arriving at `node` from `origin`. Joins, exits and jumps take no step, except to
 * leave an atomic sequence, which releases control.
 */
export function restingNode(node: Node, origin: Node): Node {
  for (let at = node, hops = 0; hops < maxHops; hops++) {
    const next = passedTo(at, origin);
    // sound: test/languages/promela/conditions.test.ts
    if (!next || (origin.keepsControl && !next.keepsControl)) return at;
    at = next;
  }
  throw new EndlessJumps(node);
}

/** The first node of an option or block that can be a separate choice. */
export function firstNode(node: Node): Node {
  for (let at = node, hops = 0; hops < maxHops; hops++) {
    if (at.kind === "join" && at.next) at = at.next;
    else if (at.kind === "unless") at = nth(at.branches, 0).first;
    else return at;
  }
  throw new EndlessJumps(node);
}

/** A cycle of jumps without a step. */
export class EndlessJumps extends Error {
  constructor(readonly node: Node) {
    super(`jumps without end at state ${node.number}`);
  }
}

/** Connects the last nodes of blocks. Visits blocks from the outside inwards (last created first). */
export function tieBlocks(nodes: readonly Node[]): void {
  for (const node of nodes.toReversed()) {
    if (!node.body || !node.next) continue;
    let after: Node | undefined = node.next;
    while (after?.kind === "join") after = after.next;
    const { last } = node.body;
    if (!last.next) last.next = after;
    else if (last.next.kind === "goto") node.body.last = last.next; // A skip precedes a labelled jump.
  }
}

/** Longer runs of jumps count as cycles; Spin has the same limit. */
const maxHops = 500;

function passedTo(node: Node, origin: Node): Node | undefined {
  switch (node.kind) {
    case "goto":
      return destinationOf(node);
    case "join":
    case "exit":
      return node.next;
    case "unless":
      return restingNode(nth(node.branches, 0).first, origin);
    default:
      return undefined;
  }
}
