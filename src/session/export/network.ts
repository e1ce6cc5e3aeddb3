/** Exports networks to Murphi, so that other tools can confirm our verdicts. */
import { murphiOf } from "../../compile/network/index.js";
import { isNetwork, type Network } from "../../model/network.js";
import { gate } from "../../transforms/network/index.js";
import { networkReductionNames } from "../../transforms/reduction/names.js";
import type { Checked } from "../check/check.js";
import type { Exported } from "./net.js";
import { configOf } from "../reductions/network.js";

export const exportedMurphi = ({ subject }: Pick<Checked, "subject">): Exported =>
  isNetwork(subject) ? networkAsMurphi(subject) : { why: "it is not a network" };

/** A Murphi model of the fully reduced network, if all properties accept the reductions. */
export function networkAsMurphi(network: Network): Exported {
  const { properties } = network;
  const { refused } = gate(network, { wanted: networkReductionNames, properties, sendLimit: Infinity });
  const [first] = refused;
  if (first) return { why: `reduction '${first.name}' is off: ${first.why}` };
  return murphiOf(network, configOf(networkReductionNames));
}
