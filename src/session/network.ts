/** A network, loaded: which reductions there are for which properties, and how their traces are confirmed. */
import {
  compileNetwork,
  concreteConfig,
  type NetworkConfig,
  type NetworkModel,
} from "../compile/network/index.js";
import type { Diagnostic, Property } from "../model/index.js";
import type { Network, NetworkProperty } from "../model/network.js";
import { networkPicture } from "../report/network.js";
import { gate, type NetworkReduction } from "../transforms/network/index.js";
import {
  networkReductionNames,
  optionalReductionNames,
  type ReductionName,
} from "../transforms/reduction/names.js";
import { confirm } from "./network-confirmation.js";
import type { LoadOptions, Loaded, Reduced, ReductionRequest } from "./registry.js";
import type { NetworkCompat } from "./request.js";

export function networkLoaded(
  network: Network,
  declaredSends: number | undefined,
  { concrete, compat, reductions }: Pick<LoadOptions, "concrete" | "compat" | "reductions">,
): Loaded {
  const sendLimit = concrete ?? declaredSends ?? Infinity;
  const model = compileNetwork(network, { ...concreteConfig, sendLimit });
  const { kappa } = network.controller;
  const allowed = (properties: readonly Property[], wanted: readonly ReductionName[]) =>
    gate(network, {
      wanted: NETWORK_NAMES.filter((name) => wanted.includes(name)),
      properties: network.properties.filter((p) => properties.includes(p)),
      sendLimit,
    });
  const reduce = ({ wanted, properties }: ReductionRequest): Reduced => {
    if (compat) return reducedTo(compatConfig(compat, network), []);
    const { names, refused } = allowed(properties, wanted);
    return reducedTo({ ...configOf(names), sendLimit }, names, refused);
  };
  const reducedTo = (
    config: NetworkConfig,
    names: readonly NetworkReduction[],
    refused: Reduced["refused"] = [],
  ): Reduced => {
    const reduced = compileNetwork(network, config);
    return {
      model: reduced,
      possible: NETWORK_NAMES,
      names,
      refused,
      concretise: (trace, property) => confirm(network, model, reduced, trace, property as NetworkProperty),
      refine: () => finerThan(config, network, model),
      transferCoverage: () => undefined,
      ...(config.countLimit === Infinity ? {} : { by: `counter abstraction ${config.countLimit}` }),
      ...(compat
        ? { unsound: `the encoding '${compat}' loses interleavings, so that finding nothing proves nothing` }
        : {}),
    };
  };
  return {
    model,
    subject: network,
    picture: networkPicture(network),
    unsupported: [],
    diagnostics: impossible(network, reductions),
    reduce,
    reductionsFor: (property, wanted) => (compat ? [] : allowed([property], wanted).names),
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

const NETWORK_NAMES: readonly NetworkReduction[] = [...networkReductionNames, ...optionalReductionNames];

/** The reductions together, as the machine does them. */
export function configOf(names: readonly NetworkReduction[]): NetworkConfig {
  const has = (name: NetworkReduction): boolean => names.includes(name);
  return {
    ...concreteConfig,
    mergesBarriers: has("barrier"),
    clients: has("client") ? "atomic" : "apart",
    countLimit: has("counter") ? 0 : Infinity,
    oneShot: has("transitive") ? "transitive" : has("one-shot") ? "plain" : "off",
    mergesRequests: has("controller"),
    repliesAtOnce: has("eager"),
    preloads: has("preload"),
    countsMessages: has("exact-control"),
    installsOnArrival: has("arrival"),
  };
}

/** The encodings of the published tool: for its figures, not for proofs. */
export const compatConfig = (compat: NetworkCompat, { controller }: Network): NetworkConfig => ({
  ...configOf([
    "barrier",
    "client",
    "counter",
    "one-shot",
    "transitive",
    ...(controller.kappa === 1 ? (["controller"] as const) : []),
    "eager",
    "preload",
    "exact-control",
  ]),
  installsLazily: true,
  keepsLastOnly: compat === "published",
});

const MOST_COUNTED = 2;

/** One more copy is counted before it is any number; what needs the abstraction of all copies is off. */
function finerThan(config: NetworkConfig, network: Network, model: NetworkModel): Reduced | undefined {
  if (config.countLimit >= MOST_COUNTED || config.installsLazily) return undefined;
  const finer: NetworkConfig = {
    ...config,
    countLimit: config.countLimit + 1,
    oneShot: "off",
    preloads: false,
    repliesAtOnce: false,
    countsMessages: false,
  };
  const reduced = compileNetwork(network, finer);
  return {
    model: reduced,
    possible: NETWORK_NAMES,
    names: [],
    refused: [],
    concretise: (trace, property) => confirm(network, model, reduced, trace, property as NetworkProperty),
    refine: () => finerThan(finer, network, model),
    transferCoverage: () => undefined,
    by: `counter abstraction ${finer.countLimit}`,
  };
}
