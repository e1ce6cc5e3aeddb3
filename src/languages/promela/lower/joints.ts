/**
 * Where control really goes: the nodes that are no step of their own are passed over.
 */
import { destinationOf, type Node } from "./nodes.js";

/**
 * The node where control comes to rest when it arrives at `node` from `origin`. Joins, exits and jumps cost no
 * step, except that one which leads out of an atomic sequence is a step of its own: the one that lets go.
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

/** The first node of an option or a block that can be a choice of its own. */
export function firstNode(node: Node): Node {
  for (let at = node, hops = 0; hops < maxHops; hops++) {
    if (at.kind === "join" && at.next) at = at.next;
    else if (at.kind === "unless") at = at.branches[0]!.first;
    else return at;
  }
  throw new EndlessJumps(node);
}

/** The user wrote jumps that only lead to each other. */
export class EndlessJumps extends Error {
  constructor(readonly node: Node) {
    super(`jumps without end at state ${node.number}`);
  }
}

/** What the last node of a block leads to. Blocks are visited from the outside inwards (last made first). */
export function tieBlocks(nodes: readonly Node[]): void {
  for (const node of nodes.toReversed()) {
    if (!node.body || !node.next) continue;
    let after: Node | undefined = node.next;
    while (after?.kind === "join") after = after.next;
    const { last } = node.body;
    if (!last.next) last.next = after;
    else if (last.next.kind === "goto") node.body.last = last.next; // A skip was put before a labelled jump.
  }
}

/** Longer runs of jumps are taken for endless. Spin gives up at the same number. */
const maxHops = 500;

function passedTo(node: Node, origin: Node): Node | undefined {
  switch (node.kind) {
    case "goto":
      return destinationOf(node);
    case "join":
    case "exit":
      return node.next;
    case "unless":
      return restingNode(node.branches[0]!.first, origin);
    default:
      return undefined;
  }
}
