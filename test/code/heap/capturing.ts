/** Captures a heap with one root. */
import { LiveHeap, type HeapRules, type OpaqueState, type Snapshot } from "../../../src/code/heap/index.js";

export const heapOf = (
  root: unknown,
  rules: HeapRules,
  hash: "incremental" | "full" = "incremental",
): LiveHeap =>
  new LiveHeap({ read: () => ({ names: ["root"], values: [root] }), write: () => undefined }, rules, {
    hash,
  });

export function taken(captured: Snapshot | OpaqueState): Snapshot {
  if ("what" in captured) throw new Error(`opaque: ${captured.what} at ${captured.path}`);
  return captured;
}
