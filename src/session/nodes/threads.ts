/** Cases in which only one thread can search a system of nodes. */
import { groupsOf, whyAsymmetric, type SystemModel } from "../../code/system/index.js";
import type { Diagnostic } from "../../model/index.js";
import { nth } from "../../model/known.js";
import type { EngineRequest } from "../contracts.js";

/** Undefined: several threads can search. */
export function whyOneThread(
  { nodes, summary }: SystemModel,
  { search, schedules, disk, isPlain, reductions = ["symmetry"] }: EngineRequest,
): string | undefined {
  const replayed = summary.nodes.filter((_, node) => nth(nodes, node).mode === "replay");
  if (replayed.length > 0) return `nodes that are replayed belong to one thread: ${replayed.join(", ")}`;
  if (schedules || search !== "bfs") return "several threads search breadth-first only";
  if (disk) return "a search on disk is done by one";
  const isSymmetric = groupsOf(summary).length > 0 && whyAsymmetric(summary) === undefined;
  return isSymmetric && !isPlain && reductions.includes("symmetry")
    ? "nodes that are alike are exchanged by one thread (--reduction none searches all states, with all threads)"
    : undefined;
}

export const oneThread = (why: string, file: string): Diagnostic => ({
  code: "code/one-worker",
  severity: "note",
  message: `one thread searches: ${why}`,
  span: { file, start: 0, end: 0 },
});
