/** Reductions of networks: which there are for which properties, and how their traces are confirmed. */
import { concreteConfig, type NetworkConfig, type NetworkModel } from "../../compile/network/index.js";
import {
  needsAllStates,
  type Acceptance,
  type Property,
  type Reduced,
  type Reductions,
  type Refusal,
} from "../../model/index.js";
import { needsWholeNetwork, type Network, type NetworkProperty } from "../../model/network.js";
import { gate, type NetworkReduction } from "../../transforms/network/index.js";
import { networkReductionNames, optionalReductionNames } from "../../transforms/reduction/names.js";
import type { NetworkCompat } from "../request.js";
import { confirm } from "./network-confirmation.js";

export interface NetworkSearch {
  readonly sendLimit: number;
  readonly compat: NetworkCompat | undefined;
  /** The network, concrete or reduced. */
  compiled(config: NetworkConfig): NetworkModel;
}

export function networkReductions(
  network: Network,
  model: NetworkModel,
  { sendLimit, compat, compiled }: NetworkSearch,
): Reductions {
  const whole: Whole = { network, model, compiled };
  if (compat) return encoding(whole, compat);
  const allowed = (properties: readonly Property[], wanted: readonly string[]): Gate => {
    const names = NETWORK_NAMES.filter((name) => wanted.includes(name));
    const kept = properties.find((property) => whyWhole(network, property) !== undefined); // sound: test/session/network-questions.test.ts
    if (kept) return { names: [], refused: allRefused(network, kept, names) };
    const known = network.properties.filter((p) => properties.includes(p));
    return gate(network, { wanted: names, properties: known, sendLimit });
  };
  return {
    names: NETWORK_NAMES,
    optional: optionalReductionNames,
    accepts: (property, { wanted }) => allowed([property], wanted),
    apply: (properties, { wanted }) => {
      const { names, refused } = allowed(properties, wanted);
      const config = { ...configOf(names), sendLimit };
      return { ...abstracted(whole, config), names, refused: () => refused };
    },
  };
}

type Gate = Acceptance & { readonly names: readonly NetworkReduction[] };

/** Reason to check a property in the network itself: no reduction was proved for it. */
function whyWhole(network: Network, property: Property): string | undefined {
  const known = network.properties.find((p) => p === property);
  if (!known) return "it is not a property of the network"; // sound: test/session/network-questions.test.ts
  if (!needsWholeNetwork(known)) return undefined; // sound: test/session/network-questions.test.ts
  return known.check.form === "stuck"
    ? "reductions add packets, and packets can always move"
    : "reductions preserve violations in states and steps, not executions";
}

const allRefused = (network: Network, property: Property, names: readonly string[]): Refusal[] =>
  names.map((name) => needsAllStates(property, name, whyWhole(network, property) ?? ""));

/** The published tool's encoding, regardless of the other properties. */
const encoding = ({ network, model, compiled }: Whole, compat: NetworkCompat): Reductions => ({
  names: NETWORK_NAMES,
  optional: optionalReductionNames,
  replacesModel: true,
  accepts: (property) =>
    // sound: test/session/network-questions.test.ts
    whyWhole(network, property) === undefined
      ? { names: [compat], refused: [] }
      : { names: [], refused: allRefused(network, property, [compat]) },
  apply: () => ({
    ...abstracted({ network, model, compiled }, compatConfig(compat, network)),
    doubt: {
      reason: `unsound-compat: the encoding '${compat}' loses interleavings, so that finding nothing proves nothing`,
      advice: "leave --compat out",
    },
  }),
});

/** The network and its concrete model. */
interface Whole extends Pick<NetworkSearch, "compiled"> {
  readonly network: Network;
  readonly model: NetworkModel;
}

function abstracted(whole: Whole, config: NetworkConfig): Reduced {
  const { network, model } = whole;
  const reduced = whole.compiled(config);
  return {
    model: reduced,
    names: [],
    concretise: (trace, property) => confirm(network, model, reduced, trace, property as NetworkProperty),
    refine: () => finerThan(config, whole),
    transferCoverage: () => undefined,
    advice: "look at the trace, or search the network itself with --concrete N",
    ...(config.countLimit === Infinity ? {} : { by: `counter abstraction ${config.countLimit}` }),
  };
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

/** Counts one more copy before saturation; disables reductions that need the abstraction of all copies. */
function finerThan(config: NetworkConfig, whole: Whole): Reduced | undefined {
  if (config.countLimit >= MOST_COUNTED || config.installsLazily) return undefined;
  const finer: NetworkConfig = {
    ...config,
    countLimit: config.countLimit + 1,
    oneShot: "off",
    preloads: false,
    repliesAtOnce: false,
    countsMessages: false,
  };
  return abstracted(whole, finer);
}
