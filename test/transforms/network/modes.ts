/** A random network as it is checked by users: in default mode, plain, with reductions forced, in any order and store. */
import { networkReductionNames, type ReductionName } from "../../../src/transforms/reduction/names.js";
import type { Network } from "../../../src/model/network.js";
import { checkInput } from "../../../src/session/check.js";
import { network as accepts } from "../../../src/session/declarations.js";
import { registry, type Registry } from "../../../src/session/index.js";
import { networkLoaded } from "../../../src/session/network.js";
import type { CheckOptions } from "../../../src/session/request.js";
import { Random } from "../../generators/random.js";
import type { Found } from "./compare.js";

export interface ModesComparison {
  readonly differences: readonly string[];
  /** Searches by the product that were compared. */
  readonly compared: number;
  /** Reductions that were used by a search with fewer states than the plain one. */
  readonly smaller: readonly ReductionName[];
}

interface Mode {
  readonly name: string;
  readonly options: CheckOptions;
  /** A store that may lose states answers `unknown` where it finds nothing. */
  readonly isLossy?: boolean;
}

/** `states` and `violated` are what there is where each client sends each packet once. */
export async function compareModes(
  network: Network,
  { states, violated }: Found,
  seed: number,
): Promise<ModesComparison> {
  const differences: string[] = [];
  const smaller = new Set<ReductionName>();
  let compared = 0;
  for (const mode of modesOf(network, seed)) {
    const { report } = await checkInput(
      { file: "random.sdn", text: "" },
      { maxErrors: Infinity, ...mode.options },
      registryOf(network, 1),
    );
    compared++;
    const wrong = report.diagnostics.filter(({ severity }) => severity === "error");
    differences.push(...wrong.map(({ message }) => `${mode.name}: ${message}`));
    const said = new Map<string, string>();
    for (const { property, verdict } of report.properties)
      if (said.get(property.name) !== "violated") said.set(property.name, verdict);
    for (const { name } of network.properties) {
      const expected = violated.has(name) ? "violated" : mode.isLossy ? "unknown" : "holds";
      const isOmitted = mode.isLossy && said.get(name) === "unknown";
      if (wrong.length === 0 && said.get(name) !== expected && !isOmitted)
        differences.push(`${mode.name}: '${name}' ${said.get(name)}, not ${expected}`);
    }
    for (const { reductions, stats } of report.runs)
      if (stats.states < states) for (const name of reductions) smaller.add(name as ReductionName);
  }
  return { differences, compared, smaller: [...smaller] };
}

/** The default, and one of the others. */
function modesOf(network: Network, seed: number): Mode[] {
  const random = new Random(seed);
  const possible = networkReductionNames.filter(
    (name) => name !== "controller" || network.controller.kappa === 1,
  );
  const forced = random.chance(50) ? possible : [random.pick(possible)];
  const store = random.pick(["exact", "tree", "delta", "compact", "bitstate"] as const);
  const search = random.pick(["bfs", "dfs", "random", "guided"] as const);
  const mixed = random.chance(50) ? { isPlain: true } : { reductions: possible };
  const others: readonly Mode[] = [
    { name: "plain", options: { isPlain: true } },
    { name: `--reduction ${forced.join()}`, options: { reductions: forced } },
    {
      name: `--store ${store} --search ${search}${"isPlain" in mixed ? " --plain" : " reduced"}`,
      options: { store, search, seed, ...mixed },
      isLossy: store === "compact" || store === "bitstate",
    },
  ];
  return [{ name: "default mode", options: {} }, random.pick(others)];
}

/** A language whose only text is the network. */
const registryOf = (network: Network, sends: number): Registry => ({
  engines: registry.engines,
  languages: [
    {
      name: "random networks",
      summary: "a network made from a seed",
      extensions: [".sdn"],
      accepts,
      load: async (_, options) => networkLoaded(network, sends, options),
    },
  ],
});
