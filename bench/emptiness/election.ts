/** Leader election: EC-7 to EC-9, EC-12, EC-B5, table 2. */
import { EMPTINESS_ALGORITHMS } from "../../src/engines/explicit/emptiness/index.js";
import { checkGraph } from "./check-graph.js";
import type { AcceptanceGraph } from "../../src/model/index.js";
import { election, electionValuation } from "../models/election.js";
import { SHY, compareAll, renderSize } from "./compare.js";
import { ELECTION_FORMULAS, ELECTION_PROPOSITIONS } from "./election-formulas.js";
import { automatonOf } from "./formulas.js";
import { exploreSystem, product } from "./products.js";
import { ELECTION } from "./published.js";
import type { Report } from "./report.js";

export function checkElection(report: Report): void {
  report.heading("Leader election (EC-7 to EC-9, EC-12, table 2)");
  const plain = exploreSystem(election({ resetsDead: false }), electionValuation);
  report.same(
    "EC-7",
    "system without dead-variable elimination",
    "147609 418382",
    `${plain.states} ${plain.transitions}`,
  );
  const fixed = exploreSystem(election({ resetsDead: true, hasFixedWinner: true }), electionValuation);
  report.same("EC-B5", "system with a fixed winner", "49332 139780", `${fixed.states} ${fixed.transitions}`);
  const system = exploreSystem(election({ resetsDead: true }), electionValuation);
  report.same("EC-7", "system", "145400 413351", `${system.states} ${system.transitions}`);
  for (const [name, text] of Object.entries(ELECTION_FORMULAS)) {
    const automaton = automatonOf(text, ELECTION_PROPOSITIONS);
    const make = () => product(system, automaton, { edges: "fewer marks first" });
    const { size, isEmpty, figures } = ELECTION[name];
    report.same("EC-7", `${name}: product`, size, `${renderSize(make())} ${automaton.conditions}`);
    report.same("EC-7", `${name}: empty`, isEmpty, checkGraph(make(), "cou99").isEmpty!);
    const isOrdered = name === "A" || name === "H";
    compareAll(report, isEmpty ? "EC-7" : "table2", make, figures, isOrdered ? EMPTINESS_ALGORITHMS : SHY);
    if (name === "A") {
      report.same("EC-8", "A: states of cou99", 365, checkGraph(make(), "cou99").states);
      const { states } = checkGraph(make(), "se05");
      report.holds("EC-8", "A: states of se05", "> 17000", `${states}`, states > 17_000);
    }
    if (name === "D") {
      const { transitions, stack } = checkGraph(make(), "cou99-norem");
      report.same("EC-9", "D: transitions of cou99-norem", 2_465_566, transitions);
      report.holds("EC-9", "D: stack of cou99-norem", "< 2000", `${stack}`, stack < 2000);
    }
    if (name === "I") timeCou99(report, make());
  }
}

function timeCou99(report: Report, graph: AcceptanceGraph): void {
  const started = performance.now();
  checkGraph(graph, "cou99");
  const seconds = (performance.now() - started) / 1000;
  const bytes = process.memoryUsage.rss();
  const obtained = `${seconds.toFixed(2)} s, ${(bytes / 2 ** 20).toFixed(0)} MiB`;
  report.holds(
    "EC-12",
    "I: cou99, product included",
    "< 10 s, < 1 GiB",
    obtained,
    seconds < 10 && bytes < 2 ** 30,
  );
}
