/** Client-server: EC-4 to EC-6, EC-B8, table 3, and the effect of the order of degeneralisation. */
import { Degeneralised } from "../../src/engines/explicit/emptiness/index.js";
import { checkGraph } from "./check-graph.js";
import type { AcceptanceGraph } from "../../src/model/index.js";
import { clientServer, clientServerValuation } from "../models/client-server.js";
import { SHY, compareAll, renderSize } from "./compare.js";
import { automatonOf } from "./formulas.js";
import { exploreSystem, product, sizeOf, weaklyFair, type SystemGraph } from "./products.js";
import { lookingAhead, reordered } from "./relabelled.js";
import { CLIENT_SERVER, type Figures } from "./published.js";
import type { Report } from "./report.js";

export function checkClientServer(report: Report): void {
  report.heading("Client-server (EC-4 to EC-6, table 3)");
  const waitsForEver = automatonOf("!(G(w1 -> F s1))", ["w1", "s1"]);
  const make = (system: SystemGraph, systemConditions: number) => () =>
    product(system, waitsForEver, { systemConditions, edges: "more marks first" });
  const sizes = {
    one: [1, "510 1302", "783 2371", "2005 6627"],
    three: [3, "12798 42138", "22147 93537", "82372 382102"],
  } as const;
  for (const [name, [servers, systemSize, productSize, singleSize]] of Object.entries(sizes)) {
    const check = servers === 1 ? "EC-4" : "EC-6";
    const system = exploreSystem(clientServer(3, servers), clientServerValuation);
    const agents = 3 + servers;
    const unfair = make(system, 0);
    const fair = make(weaklyFair(system, agents), agents);
    report.same(
      check,
      `3 clients, ${servers} server(s): system`,
      systemSize,
      `${system.states} ${system.transitions}`,
    );
    report.same(check, "product", productSize, renderSize(unfair()));
    report.same(check, "fair product, degeneralised", singleSize, renderSize(degeneralised(fair())));
    report.same(
      check,
      "empty without and with fairness",
      servers === 1 ? "true true" : "false true",
      `${checkGraph(unfair(), "cou99").isEmpty} ${checkGraph(fair(), "cou99").isEmpty}`,
    );
    const published = CLIENT_SERVER as Record<string, Figures>;
    compareAll(report, check, unfair, published[name], servers === 1 ? SHY : []);
    compareAll(
      report,
      servers === 1 ? "EC-5" : "EC-6",
      fair,
      published[`${name}Fair`],
      servers === 1 ? [...SHY, "tau03", "tau03opt"] : [],
    );
  }
  const { lasso } = checkGraph(
    make(exploreSystem(clientServer(3, 3), clientServerValuation), 0)(),
    "cou99",
  ).construct();
  console.log(
    `        EC-6   a run in which client 0 waits forever: ${lasso.prefix.length} steps, then ${lasso.cycle.length} again and again`,
  );
  smallerClientServers(report, make);
  const system = weaklyFair(exploreSystem(clientServer(3, 1), clientServerValuation), 4);
  degeneralisationOrders(report, make(system, 4)());
}

function smallerClientServers(
  report: Report,
  make: (system: SystemGraph, systemConditions: number) => () => AcceptanceGraph,
): void {
  for (const [name, expected] of Object.entries(SMALLER)) {
    const [clients, servers] = name.split(" ").map(Number);
    const agents = clients + servers;
    const system = exploreSystem(clientServer(clients, servers), clientServerValuation);
    const unfair = make(system, 0);
    const fair = make(weaklyFair(system, agents), agents);
    const verdicts = `${checkGraph(unfair(), "cou99").isEmpty} ${checkGraph(fair(), "cou99").isEmpty}`;
    const obtained = `${system.states} ${system.transitions}, ${renderSize(unfair())}, ${verdicts}`;
    report.same("EC-B8", `${clients} client(s), ${servers} server(s)`, expected, obtained);
  }
}

/** Benchmark EC-B8: system, product, empty without and with fairness. */
const SMALLER = {
  "1 1": "8 8, 13 17, true true",
  "2 1": "72 132, 112 248, true true",
  "2 2": "236 496, 401 1081, false true",
  "3 2": "2805 8298, 4703 17288, false false",
};

/** The order in which conditions are waited for decides how large the degeneralised product becomes. */
function degeneralisationOrders(report: Report, fair: AcceptanceGraph): void {
  const sizes = permutations([0, 1, 2, 3, 4]).map((order) => sizeOf(degeneralised(reordered(fair, order))));
  sizes.sort((a, b) => a.states - b.states || a.transitions - b.transitions);
  const shown = [sizes[0], sizes[sizes.length - 1]].map(
    ({ states, transitions }) => `${states} ${transitions}`,
  );
  report.same("8.4", "degeneralised in the best and worst order", "1011 2887, 2005 6627", shown.join(", "));
  const formulaFirst = degeneralised(lookingAhead(reordered(fair, [4, 0, 1, 2, 3])));
  report.same("8.4", "with lookahead, the formula first", "1174 3034", renderSize(formulaFirst));
}

const permutations = (items: readonly number[]): number[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((first) =>
        permutations(items.filter((item) => item !== first)).map((rest) => [first, ...rest]),
      );

const degeneralised = (graph: AcceptanceGraph): AcceptanceGraph => new Degeneralised(graph);
