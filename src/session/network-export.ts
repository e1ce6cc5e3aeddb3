/** A network in another language, so that others can check what we say about it. */
import { murphiOf, type MurphiText } from "../compile/network/index.js";
import type { Network } from "../model/network.js";
import { gate } from "../transforms/network/index.js";
import { networkReductionNames } from "../transforms/reduction/names.js";
import { configOf } from "./network.js";

/** As a Murphi model of the default pipeline, if all its properties allow that. */
export function networkAsMurphi(network: Network): MurphiText {
  const { properties } = network;
  const { refused } = gate(network, { wanted: networkReductionNames, properties, sendLimit: Infinity });
  const [first] = refused;
  if (first) return { whyNot: `reduction '${first.name}' is off: ${first.why}` };
  return murphiOf(network, configOf(networkReductionNames));
}
