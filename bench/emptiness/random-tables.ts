/** Random systems: EC-10, EC-13, tables 1 and 4. */
import { EMPTINESS_ALGORITHMS, type EmptinessAlgorithm } from "../../src/engines/explicit/emptiness/index.js";
import { randomNumbers } from "../../test/engines/emptiness/graphs.js";
import { renderColumns } from "../statistics.js";
import { HUMAN_FORMULAS, automatonOf, randomFormulas } from "./formulas.js";
import { HUMAN_SPARSE } from "./published.js";
import { runSuite, type SuiteRow } from "./random-suite.js";
import type { Report } from "./report.js";

export function checkFormulas(report: Report): void {
  report.heading("Formulas of the literature (EC-13)");
  const counts = [0, 0, 0, 0, 0, 0, 0];
  for (const text of HUMAN_FORMULAS) counts[automatonOf(text).conditions]++;
  report.same("EC-13", "188 formulas by number of conditions, 0 to 6", "20 61 71 18 6 7 5", counts.join(" "));
}

export function checkRandomSystems(report: Report, isFull: boolean): void {
  report.heading("Random systems (EC-10, tables 1 and 4): means in percent of the product");
  const algorithms = EMPTINESS_ALGORITHMS.filter(
    (algorithm) => algorithm !== "dfs" && algorithm !== "cou99-norem" && algorithm !== "cou99-lazy",
  );
  const densities = isFull ? [0.001, 0.002, 0.01] : [0.001];
  const kinds = isFull ? (["human", "random"] as const) : (["human"] as const);
  for (const density of densities)
    for (const kind of kinds) {
      const suite = (fairConditions: number): SuiteRow[] =>
        runSuite({
          density,
          formulas: kind === "human" ? HUMAN_FORMULAS : randomFormulas(randomNumbers(31), 200),
          systems: isFull ? 15 : 1,
          fairConditions,
          seed: 17,
          algorithms,
        });
      const unfair = suite(0);
      const fair = suite(3);
      for (const [isFair, rows] of [
        [false, unfair],
        [true, fair],
      ] as const)
        printTable(
          `d = ${density}, ${kind} formulas${isFair ? ", fair" : ""}`,
          rows,
          kind === "human" && density === 0.001 ? (isFair ? 1 : 0) : undefined,
        );
      if (kind === "human" && density === 0.001) judgeShape(report, unfair, fair);
    }
}

function printTable(title: string, rows: readonly SuiteRow[], published: 0 | 1 | undefined): void {
  const percent = (value: number): string => value.toFixed(1);
  const lines = rows.map((row) => [
    row.algorithm,
    `${row.products}`,
    ...[row.states, row.transitions, row.stack, row.cycleStatesVisited, row.searchSpace].map(percent),
    published === undefined ? "" : (HUMAN_SPARSE[row.algorithm]?.[published] ?? ""),
  ]);
  const heading = [
    "algorithm",
    "products",
    "states",
    "transitions",
    "stack",
    "cycle",
    "space",
    published === undefined ? "" : "published",
  ];
  console.log(`${title}\n${renderColumns([heading, ...lines])}\n`);
}

function judgeShape(report: Report, unfair: readonly SuiteRow[], fair: readonly SuiteRow[]): void {
  const of = (rows: readonly SuiteRow[], algorithm: EmptinessAlgorithm): SuiteRow =>
    rows.find((row) => row.algorithm === algorithm)!;
  const states = unfair.filter(({ algorithm }) => algorithm !== "tau03").map((row) => row.states);
  const spread = Math.max(...states) / Math.min(...states);
  report.holds("EC-10", "states without fairness, most to least", "<= 1.5", spread.toFixed(2), spread <= 1.5);
  const order = (["cou99", "gv04", "se05", "cvwy90"] as const).map((algorithm) => of(fair, algorithm).states);
  const isOrdered = order[0] < order[1] && order[1] < order[2] && order[2] <= order[3];
  report.holds(
    "EC-10",
    "fair: cou99 < gv04 < se05 <= cvwy90",
    "increasing",
    order.map((value) => value.toFixed(1)).join(" "),
    isOrdered,
  );
  const ratio = of(fair, "tau03opt").states / of(fair, "cou99").states;
  report.holds(
    "EC-10",
    "fair: states of tau03opt to cou99",
    "0.9 to 1.1",
    ratio.toFixed(2),
    Math.abs(ratio - 1) <= 0.1,
  );
  const fetched = of(fair, "tau03").transitions / of(fair, "cou99").transitions;
  report.holds("EC-10", "fair: transitions of tau03 to cou99", "> 10", fetched.toFixed(1), fetched > 10);
}
