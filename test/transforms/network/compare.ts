/**
 * One random network: the machine beside the naive implementation, and allowed reductions beside none. The seed selects the
 * combinations.
 */
import { compileNetwork, concreteConfig, type NetworkConfig } from "../../../src/compile/network/index.js";
import { Entry, Successors, faultSite, type Words } from "../../../src/model/index.js";
import { usesBarriers, type Network } from "../../../src/model/network.js";
import { configOf } from "../../../src/session/reductions/network.js";
import { gate, type NetworkReduction } from "../../../src/transforms/network/index.js";
import { Naive } from "../../compile/network/naive.js";
import { Random } from "../../generators/random.js";
import { forcedReductions } from "./modes.js";
import { exampleFor, networkFor, sendsFor } from "./networks.js";

export interface Comparison {
  /** Too large to be compared. */
  readonly isSkipped: boolean;
  /** Found with the number of sends that `sendsFor` gives. */
  readonly found: Found;
  /** The naive implementation visited every state. */
  readonly isNaivelyDone: boolean;
  readonly differences: readonly string[];
}

export const EXACT: readonly NetworkReduction[] = ["barrier", "client", "controller", "eager", "arrival"];
export const DEFAULT: readonly NetworkReduction[] = [...EXACT, "counter", "one-shot", "preload"];

const without = (all: readonly NetworkReduction[], name: NetworkReduction): readonly NetworkReduction[] =>
  all.filter((each) => each !== name);

/** Without an abstraction: all subsets. */
const exactSets = EXACT.reduce<NetworkReduction[][]>(
  (sets, name) => [...sets, ...sets.map((set) => [...set, name])],
  [[]],
);

const abstractSets: readonly (readonly NetworkReduction[])[] = [
  ["counter"],
  DEFAULT,
  ...DEFAULT.filter((name) => name !== "counter").flatMap((name) => [
    without(DEFAULT, name),
    ["counter", name] as const,
  ]),
  [...DEFAULT, "transitive"],
  [...DEFAULT, "exact-control"],
  [...DEFAULT, "transitive", "exact-control"],
  ["barrier", "counter", "exact-control"],
];

/** Networks, and reduced networks, with more states are not compared. */
export function compareNetwork(seed: number, maxStates = 2000): Comparison {
  const network = networkFor(seed);
  const differences: string[] = [];
  const sends = sendsFor(seed);
  const once = exploreAll(network, { ...concreteConfig, sendLimit: sends }, maxStates);
  if (!once)
    return {
      isSkipped: true,
      isNaivelyDone: false,
      found: { states: 0, violated: new Set(), isComplete: false },
      differences,
    };
  const naive = new Naive(network, sends).explore(MOST_NAIVE);
  if (naive.isComplete && (naive.states !== once.states || !isSameSet(naive.violated, once.violated)))
    differences.push(`naive ${told(naive)}, machine ${told(once)}`);
  differences.push(...compareNaiveReduced(network, maxStates));
  const twice = violatedTwice(network, maxStates);
  const drawn = drawSets(seed);
  // Different requests may amount to the same.
  const known = new Map<string, Found>();
  const exploreWith = (names: string, sendLimit: number): Found => {
    const key = `${names} ${sendLimit}`;
    if (!known.has(key))
      known.set(
        key,
        explore(network, { ...configOf(names.split(",") as NetworkReduction[]), sendLimit }, maxStates),
      );
    return known.get(key)!;
  };
  for (const wanted of drawn.exact)
    differences.push(
      ...compareSet(network, wanted, sends, exploreWith, (name) => once.violated.has(name), true),
    );
  const isReal = (name: string): boolean => once.violated.has(name) || twice.has(name);
  for (const wanted of drawn.abstract)
    differences.push(...compareSet(network, wanted, Infinity, exploreWith, isReal, false));
  return { isSkipped: false, isNaivelyDone: naive.isComplete, found: once, differences };
}

export function drawSets(
  seed: number,
): Readonly<Record<"exact" | "abstract", readonly NetworkReduction[][]>> {
  const random = new Random(seed);
  const some = (sets: readonly (readonly NetworkReduction[])[]): NetworkReduction[][] =>
    Array.from({ length: SAMPLES }, () => [...random.pick(sets)]);
  const example = exampleFor(seed);
  // Where the gate lets it pass, it must do no harm.
  const own = example ? [[...(example.with ?? []), example.reduction]] : [];
  return { exact: [...some(exactSets), ...own], abstract: some(abstractSets) };
}

/** Refusals of the gate in the comparison of this network, as `eager despite packets`. */
export function refusalsOf(network: Network, seed: number): string[] {
  const { exact, abstract } = drawSets(seed);
  const asked = [
    ...exact.map((wanted) => ({ wanted, sendLimit: sendsFor(seed) })),
    ...forcedReductions(network, seed).map((wanted) => ({ wanted, sendLimit: sendsFor(seed) })),
    ...abstract.map((wanted) => ({ wanted, sendLimit: Infinity })),
  ];
  const refused = asked.flatMap((request) =>
    network.properties.flatMap((property) => gate(network, { ...request, properties: [property] }).refused),
  );
  return [...new Set(refused.map(({ name, reason }) => `${name} despite ${reason}`))];
}

/** With two sends of each packet, as far as that is quick. */
const violatedTwice = (network: Network, maxStates: number): ReadonlySet<string> =>
  explore(network, { ...concreteConfig, sendLimit: 2 }, maxStates).violated;

/** The default pipeline as a whole, counted by both. */
function compareNaiveReduced(network: Network, maxStates: number): string[] {
  // The gate refuses the default pipeline if packets move beside barriers.
  if (network.controller.kappa !== 1 || (network.controller.barriers === "openflow" && usesBarriers(network)))
    return [];
  const machine = exploreAll(network, configOf(DEFAULT), maxStates);
  const naive = new Naive(network, Infinity, true).explore(MOST_NAIVE);
  if (!machine || !naive.isComplete || naive.states === machine.states) return [];
  return [`reduced: naive has ${naive.states} states, the machine ${machine.states}`];
}

/** Properties that allow the same requested reductions are checked together, each beside its expected answer. */
function compareSet(
  network: Network,
  wanted: readonly NetworkReduction[],
  sendLimit: number,
  exploreWith: (names: string, sendLimit: number) => Found,
  isViolated: (name: string) => boolean,
  isExact: boolean,
): string[] {
  const groups = new Map<string, string[]>();
  for (const property of network.properties) {
    const { names } = gate(network, { wanted, properties: [property], sendLimit });
    const isUseful = names.length > 0 && (isExact || names.includes("counter"));
    if (isUseful) groups.set(names.join(), [...(groups.get(names.join()) ?? []), property.name]);
  }
  const differences: string[] = [];
  for (const [key, names] of groups) {
    const found = exploreWith(key, sendLimit);
    for (const name of names) {
      // Finding nothing in a part proves nothing.
      const isFound = found.violated.has(name) || (!found.isComplete && isViolated(name));
      if (isViolated(name) && !isFound) differences.push(`'${name}' is lost by ${key}`);
      if (isExact && !isViolated(name) && isFound) differences.push(`'${name}' is made up by ${key}`);
    }
  }
  return differences;
}

const SAMPLES = 2;
const MOST_NAIVE = 250;

export interface Found {
  readonly states: number;
  readonly violated: ReadonlySet<string>;
  readonly isComplete: boolean;
}

/** Undefined: too large. */
function exploreAll(network: Network, config: NetworkConfig, maxStates: number): Found | undefined {
  const found = explore(network, config, maxStates);
  return found.isComplete ? found : undefined;
}

/** All violations in about `maxStates` states; with a goal, until that is violated. */
export function explore(network: Network, config: NetworkConfig, maxStates: number, goal?: string): Found {
  const model = compileNetwork(network, config);
  const violated = new Set<string>();
  const out = new Successors(model.system.width);
  model.system.initial(out);
  const queue = [out.words.slice(0, out.stride)];
  const seen = new Set([keyOf(queue[0]!)]);
  for (const state of queue) {
    model.invariants.forEach(({ name }, index) => {
      if (!violated.has(name) && !model.holds(index, state, 0)) violated.add(name);
    });
    const isFound = goal !== undefined && violated.has(goal);
    if (isFound || queue.length > maxStates) return { states: queue.length, violated, isComplete: false };
    out.clear();
    model.system.successors(state, 0, out);
    for (let i = 0; i < out.count; i++) {
      const site = faultSite(out.flags[i]!);
      if (site >= 0) violated.add(model.sites[site]!.owner!);
      if ((out.flags[i]! & Entry.dead) !== 0) continue;
      const next = out.words.slice(i * out.stride, (i + 1) * out.stride);
      const key = keyOf(next);
      if (seen.has(key)) continue;
      seen.add(key);
      queue.push(next);
    }
  }
  return { states: queue.length, violated, isComplete: true };
}

/** Words are numbers of few things, so each is a character. */
const keyOf = (state: Words): string => String.fromCharCode(...state);

const isSameSet = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size === b.size && [...a].every((item) => b.has(item));

const told = ({ states, violated }: Pick<Found, "states" | "violated">): string =>
  `${states} states, violated: ${[...violated].sort().join(", ")}`;
