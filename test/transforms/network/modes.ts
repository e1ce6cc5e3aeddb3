/** A random network as it is checked by users: in default mode, plain, with reductions forced, in any order and store. */
import { networkReductionNames, type ReductionName } from "../../../src/transforms/reduction/names.js";
import type { Network } from "../../../src/model/network.js";
import { checkInput } from "../../../src/session/check/check.js";
import { network as accepts } from "../../../src/session/declarations.js";
import { registry, type Registry } from "../../../src/session/index.js";
import type { NetworkReduction } from "../../../src/transforms/network/index.js";
import { networkLoaded } from "../../../src/session/languages/network.js";
import type { CheckOptions } from "../../../src/session/request.js";
import { Random } from "../../generators/random.js";
import type { Found } from "./compare.js";

export interface ModesComparison {
  readonly differences: readonly string[];
  readonly compared: number;
  /** Reductions that were used by a search with fewer states than the plain one. */
  readonly smaller: readonly ReductionName[];
  /** The default mode went over to reductions, and they decided everything. */
  readonly isHandedOver: boolean;
}

interface Mode {
  readonly name: string;
  readonly options: CheckOptions;
  /** A store that may lose states answers `unknown` where it finds nothing. */
  readonly isLossy?: boolean;
  /** Several searches share the states that it may store, and one may have none left. */
  readonly isHandedOver?: boolean;
}

/** `states` and `violated` are the expected results if each client sends each packet `sends` times. */
export async function compareModes(
  network: Network,
  { states, violated }: Found,
  seed: number,
  sends = 1,
): Promise<ModesComparison> {
  const differences: string[] = [];
  const smaller = new Set<ReductionName>();
  let compared = 0;
  let isHandedOver = false;
  for (const mode of modesOf(network, states, seed)) {
    const asked = { maxErrors: Infinity, budget: { maxStates: 40 * states }, ...mode.options };
    const report = await checkInput({ file: "random.sdn", text: "" }, asked, registryOf(network, sends)).then(
      (checked) => checked.report,
      (error: Error) => error.message,
    );
    compared++;
    if (typeof report === "string") {
      differences.push(`${mode.name}: internal error: ${report}`);
      continue;
    }
    const wrong = report.diagnostics.filter(({ severity }) => severity === "error");
    differences.push(...wrong.map(({ message }) => `${mode.name}: ${message}`));
    const said = new Map<string, string>();
    for (const { property, verdict } of report.properties)
      if (said.get(property.name) !== "violated") said.set(property.name, verdict);
    for (const { name } of network.properties) {
      const expected = violated.has(name) ? "violated" : mode.isLossy ? "unknown" : "holds";
      const isOmitted = (mode.isLossy || mode.isHandedOver) && said.get(name) === "unknown";
      if (wrong.length === 0 && said.get(name) !== expected && !isOmitted)
        differences.push(`${mode.name}: '${name}' ${said.get(name)}, not ${expected}`);
    }
    if (mode.isHandedOver && report.runs.some(({ isAbandoned }) => isAbandoned))
      isHandedOver = [...said.values()].every((verdict) => verdict !== "unknown");
    for (const { reductions, stats } of report.runs)
      if (stats.states < states) for (const name of reductions) smaller.add(name as ReductionName);
  }
  return { differences, compared, smaller: [...smaller], isHandedOver };
}

/** The default, for every other network with too few states for the search of the whole system, and one of the others. */
function modesOf(network: Network, states: number, seed: number): Mode[] {
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
  // Nearly enough states for the search of the whole system, so that they suffice for the reduced ones.
  const maxStates = Math.max(2, Math.floor(1.8 * states));
  const byDefault: Mode =
    seed % 2 === 0
      ? { name: "default mode", options: {} }
      : { name: `--max-states ${maxStates}`, options: { budget: { maxStates } }, isHandedOver: true };
  return [byDefault, random.pick(others)];
}

/** The reductions that some mode of this network forces. */
export function forcedReductions(network: Network, seed: number): NetworkReduction[][] {
  return modesOf(network, 2, seed).flatMap(({ options }) =>
    options.isPlain ? [] : [[...(options.reductions ?? networkReductionNames)] as NetworkReduction[]],
  );
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
