/** `unless`: the escape can interrupt every node of the main part. */
import { bodyOf, type Chain, type Node } from "./nodes.js";
import { nth } from "../../../model/known.js";

export function attachEscape(main: Chain, escape: Chain): void {
  for (let node: Node | undefined = main.first; node; node = node.next) {
    attachTo(node, escape);
    // sound: test/languages/promela/conditions.test.ts
    if (node === main.extent) break;
  }
}

function attachTo(node: Node, escape: Chain): void {
  // sound: test/languages/promela/conditions.test.ts
  if (node.escapes.includes(escape)) return;
  // An outer escape also interrupts inner ones, once they have begun.
  // sound: test/languages/promela/conditions.test.ts
  for (const inner of node.escapes) attachEscape(inner, escape);
  node.escapes.unshift(escape);
  switch (node.kind) {
    case "unless":
      // sound: test/languages/promela/conditions.test.ts
      return attachEscape(nth(node.branches, 0), escape);
    case "selection":
      // sound: test/languages/promela/conditions.test.ts
      return node.branches.forEach((branch) => attachEscape(branch, escape));
    case "step":
      return attachTo(bodyOf(node).first, escape); // Indivisible: only its start can be interrupted.
    case "atomic":
    case "block":
      return attachEscape(bodyOf(node), escape);
  }
}
