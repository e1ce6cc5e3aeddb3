/** Agreement on random graphs (EC-1, EC-2), no conditions (EC-3), figure 4 (EC-11). */
import {
  EMPTINESS_ALGORITHMS,
  refusal,
  type EmptinessAlgorithm,
} from "../../src/engines/explicit/emptiness/index.js";
import { checkGraph } from "./check-graph.js";
import { disagreements } from "../../test/engines/emptiness/agreement.js";
import {
  asGraph,
  isObviouslyEmpty,
  randomGraph,
  randomNumbers,
} from "../../test/engines/emptiness/graphs.js";
import { subgraphGadget } from "./gadget.js";
import type { Report } from "./report.js";

export function checkAgreement(report: Report, cases: number): void {
  report.heading("Agreement on random graphs (EC-1, EC-2), no conditions (EC-3), figure 4 (EC-11)");
  const random = randomNumbers(2005);
  let wrong = 0;
  let accepting = 0;
  for (let i = 0; i < cases; i++) {
    const graph = randomGraph(random);
    if (disagreements(graph).length > 0) wrong++;
    if (!isObviouslyEmpty(graph)) accepting++;
  }
  report.same(
    "EC-1",
    `${cases} graphs, ${accepting} not empty: disagreements and runs that do not replay`,
    0,
    wrong,
  );
  const arc = (to: number) => ({ to, marks: 0 });
  const cycle = asGraph({ conditions: 0, arcs: [[arc(1)], [arc(0)]] });
  const chain = asGraph({ conditions: 0, arcs: [[arc(1)], []] });
  for (const algorithm of EMPTINESS_ALGORITHMS)
    if (algorithm !== "tau03") {
      const obtained = `${checkGraph(cycle, algorithm).isEmpty} ${checkGraph(chain, algorithm).isEmpty}`;
      report.same("EC-3", `${algorithm}: a cycle is empty, a chain is empty`, "false true", obtained);
    } else {
      const message = refusal(algorithm, 0, true) ?? "nothing";
      report.holds("EC-3", "tau03 refuses", "a message", message, message.startsWith("tau03 needs"));
    }
  const states = (algorithm: EmptinessAlgorithm, accepting: 1 | 2 | 3): number =>
    checkGraph(subgraphGadget(500, accepting), algorithm).states;
  for (const algorithm of ["se05", "cvwy90", "tau03opt", "cou99", "gv04"] as const) {
    const expected = algorithm === "se05" || algorithm === "cvwy90" ? 503 : 3;
    report.same("EC-11", `${algorithm}: states, arc 1 accepting`, expected, states(algorithm, 1));
  }
  for (const accepting of [2, 3] as const)
    report.same("EC-11", `se05: states, arc ${accepting} accepting`, 3, states("se05", accepting));
}
