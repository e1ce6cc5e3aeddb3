/** Counts the states of a network in a given semantics, and checks its properties. */
import { compileNetwork, concreteConfig, type NetworkConfig } from "../../../src/compile/network/index.js";
import { checkExplicit } from "../../../src/engines/explicit/index.js";
import { check, overallVerdict, type CheckOptions } from "../../../src/index.js";
import { compatConfig, configOf } from "../../../src/session/reductions/network.js";
import type { NetworkReduction } from "../../../src/transforms/network/index.js";
import { networkOf } from "../../languages/sdn/loading.js";

export const statesOf = async (
  text: string,
  config: Partial<NetworkConfig> | readonly NetworkReduction[] | "published" | "published-sets",
) => {
  const network = networkOf(text);
  const chosen =
    config === "published" || config === "published-sets"
      ? compatConfig(config, network)
      : { ...concreteConfig, ...(Array.isArray(config) ? configOf(config as NetworkReduction[]) : config) };
  const { stats, findings } = await checkExplicit(compileNetwork(network, chosen), {
    order: "bfs",
    checkDeadlock: false,
    errors: 1,
    budget: {},
    control: {},
  });
  return { states: stats.states, isViolated: findings.some(({ verdict }) => verdict.kind === "violated") };
};

export const verdictOf = async (text: string, options: CheckOptions = {}): Promise<string> =>
  overallVerdict(await check({ file: "test.sdn", text }, options));
