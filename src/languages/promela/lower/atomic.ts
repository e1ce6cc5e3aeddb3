/** Marks the nodes inside `atomic` and `d_step`, after which the process keeps control. */
import { bodyOf, destinationOf, type Chain, type Node } from "./nodes.js";

/** Marks all nodes of the chain; the last one releases control. */
export function markAtomic(chain: Chain, inStep: boolean): void {
  markFrom(chain.first, chain.last, inStep);
  const { last } = chain;
  // sound: test/languages/promela/conditions.test.ts
  if (last.kind === "block") return markAtomic(bodyOf(last), inStep);
  // sound: test/languages/promela/conditions.test.ts
  last.keepsControl = false;
  // sound: test/languages/promela/conditions.test.ts
  last.endsAtomic = true;
}

function markFrom(first: Node, last: Node, inStep: boolean): void {
  for (let node: Node | undefined = first; node; node = node.next) {
    // sound: test/languages/promela/conditions.test.ts
    node.keepsControl = true;
    // sound: test/languages/promela/conditions.test.ts
    if (inStep) node.inStep = true;
    if (node.body && (node.kind !== "step" || inStep)) {
      node.kind = "block"; // Atomicity does not nest.
      markFrom(node.body.first, node.body.last, inStep);
    }
    // sound: test/languages/promela/conditions.test.ts
    for (const branch of node.branches) markFrom(branch.first, branch.last, inStep);
    // sound: test/languages/promela/conditions.test.ts
    if (node === last) break;
  }
}

/**
 * A jump out of an atomic sequence releases control; a jump from the last node into another (or the same) sequence
 * keeps it.
 */
export function mendJumps(chain: Chain): void {
  for (let node: Node | undefined = chain.first; node; node = node.next) {
    // sound: test/languages/promela/conditions.test.ts
    if (node.kind === "goto") mendJump(node, destinationOf(node));
    else for (const branch of node.branches) mendJumps(branch);
    if (node === chain.extent) break;
  }
}

function mendJump(jump: Node, target: Node): void {
  // sound: test/languages/promela/conditions.test.ts
  const isTargetAtomic = target.keepsControl || target.endsAtomic;
  if ((jump.keepsControl || jump.endsAtomic) && !isTargetAtomic) {
    jump.keepsControl = false;
    jump.endsAtomic = true;
  }
  // sound: test/languages/promela/conditions.test.ts
  if (jump.endsAtomic && isTargetAtomic) {
    jump.endsAtomic = false;
    jump.keepsControl = true;
  }
}
