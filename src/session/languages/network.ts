/** A loaded network: the concrete network with its reductions and assumptions. */
import {
  compileNetwork,
  concreteConfig,
  type NetworkConfig,
  type NetworkSharing,
} from "../../compile/network/index.js";
import type { Diagnostic } from "../../model/index.js";
import type { Network } from "../../model/network.js";
import { networkPicture } from "../../report/network.js";
import { networkReductions } from "../reductions/network.js";
import type { LoadOptions, Loaded } from "../contracts.js";

export function networkLoaded(
  network: Network,
  declaredSends: number | undefined,
  { concrete, compat, reductions }: Pick<LoadOptions, "concrete" | "compat" | "reductions">,
  sharing?: NetworkSharing,
): Loaded {
  const sendLimit = concrete ?? declaredSends ?? Infinity;
  const compiled = (config: NetworkConfig) => compileNetwork(network, config, sharing);
  const model = compiled({ ...concreteConfig, sendLimit });
  const { kappa } = network.controller;
  return {
    model: { ...model, reductions: networkReductions(network, model, { sendLimit, compat, compiled }) },
    subject: network,
    picture: networkPicture(network),
    unsupported: [],
    diagnostics: impossible(network, reductions),
    assumptions: {
      notes: [
        `kappa = ${kappa}: at most ${kappa === 1 ? "one request is" : `${kappa} requests are`} with the controller at a time`,
        ...(sendLimit === Infinity
          ? []
          : [`each client sends each packet at most ${sendLimit === 1 ? "once" : `${sendLimit} times`}`]),
      ],
      bound: sendLimit === Infinity ? undefined : concrete === undefined ? "declared" : "asked",
    },
  };
}

/** Asked for by name, and no property can change that it is wrong for this network. */
function impossible(
  { controller: { kappa, span } }: Network,
  reductions: LoadOptions["reductions"],
): readonly Diagnostic[] {
  if (kappa === 1 || !reductions?.includes("controller")) return [];
  return [
    {
      code: "session/reduction-impossible",
      severity: "error",
      message: `the reduction 'controller' needs kappa = 1, and kappa is ${kappa}`,
      span,
      hint: "leave it out of --reduction, or assume one request at a time",
    },
  ];
}
