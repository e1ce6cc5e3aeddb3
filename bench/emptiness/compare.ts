/** The figures of algorithms on a product, beside published ones. */
import { type EmptinessAlgorithm } from "../../src/engines/explicit/emptiness/index.js";
import { checkGraph } from "./check-graph.js";
import type { AcceptanceGraph } from "../../src/model/index.js";
import { sizeOf } from "./products.js";
import type { Figures } from "./published.js";
import type { Report } from "./report.js";

/** Figures in `ordered` depend on choices that the paper omits. */
export function compareAll(
  report: Report,
  check: string,
  make: () => AcceptanceGraph,
  figures: Figures,
  ordered: readonly EmptinessAlgorithm[],
): void {
  for (const [algorithm, expected] of Object.entries(figures) as [EmptinessAlgorithm, string][]) {
    const { states, transitions, stack } = checkGraph(make(), algorithm);
    const obtained = `${states} ${transitions} ${stack}`;
    if (ordered.includes(algorithm)) report.beside(check, algorithm, expected, obtained);
    else report.same(check, algorithm, expected, obtained);
  }
}

/** Their stack depends on an order that the paper omits. */
export const SHY: readonly EmptinessAlgorithm[] = ["cou99-shy-", "cou99-shy"];

export function renderSize(graph: AcceptanceGraph): string {
  const { states, transitions } = sizeOf(graph);
  return `${states} ${transitions}`;
}
