/**
 * Composes a network bottom-up: explores a product of groups, hides what is complete and not asked for, replaces it by its quotient, and
 * goes on, by a hierarchy or, greedily, with the pair of joined groups that promises the smallest product.
 */
import type { Budget, CompositionStep, Hierarchy, Lts, LtsNetwork, Words } from "../../model/index.js";
import { nth } from "../../model/known.js";
import { Vectors, exportedLabels, union, type Group } from "./parts.js";

/** A step of a product: which transition each part takes (-1: none), and the words afterwards, if the run goes on. */
export interface ProductStep {
  readonly label: string;
  readonly taken: Int32Array;
  readonly words: Words | undefined;
}

/** The product that a system was explored from. */
export interface ProductWalk {
  /** By position in `Lts.initial`. */
  initial(index: number): Words;
  /** In the order of the transitions of the system's state. */
  steps(words: Words): readonly ProductStep[];
}

export interface CompositionTools {
  explore(
    network: LtsNetwork,
    budget: Budget,
  ): Promise<
    { readonly lts: Lts; readonly walk: ProductWalk } | { readonly stop: string; readonly states: number }
  >;
  minimise(
    lts: Lts,
    budget: Budget,
  ): Promise<{ readonly blocks: Int32Array; readonly quotient: Lts } | { readonly stop: string }>;
}

/** A composed group: `lts` is the quotient of `full`, whose states are in `blocks`. */
export interface ComposedGroup extends Group {
  readonly full: Lts;
  readonly blocks: Int32Array;
  readonly walk: ProductWalk;
  /** What the parts of the product are: groups, or the part itself. */
  readonly children: readonly (ComposedGroup | { readonly part: number })[];
}

export interface Composed {
  readonly root: ComposedGroup;
  readonly log: readonly CompositionStep[];
}

/** The group whose product did not fit the budget. */
export interface Culprit {
  readonly step: string;
  readonly parts: readonly string[];
  readonly stop: string;
  readonly states: number;
  readonly log: readonly CompositionStep[];
}

export async function compose(
  network: LtsNetwork,
  isVisible: (label: string) => boolean,
  hierarchy: Hierarchy | undefined,
  budget: Budget,
  tools: CompositionTools,
): Promise<Composed | Culprit> {
  const composer = new Composer(network, new Vectors(network, isVisible), budget, tools);
  try {
    const root = hierarchy ? await composer.byHierarchy(hierarchy) : await composer.greedily();
    return { root, log: composer.log };
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    const { step, parts, stop, states } = error;
    return { step, parts, stop, states, log: composer.log };
  }
}

class Stopped extends Error {
  constructor(
    readonly step: string,
    readonly parts: readonly string[],
    readonly stop: string,
    readonly states: number,
  ) {
    super(stop);
  }
}

class Composer {
  readonly log: CompositionStep[] = [];
  readonly #network: LtsNetwork;
  readonly #vectors: Vectors;
  readonly #budget: Budget;
  readonly #tools: CompositionTools;
  readonly #started = performance.now();

  constructor(network: LtsNetwork, vectors: Vectors, budget: Budget, tools: CompositionTools) {
    this.#network = network;
    this.#vectors = vectors;
    this.#budget = budget;
    this.#tools = tools;
  }

  async byHierarchy({ name, children }: Hierarchy): Promise<ComposedGroup> {
    const groups: ComposedGroup[] = [];
    for (const child of children)
      groups.push(
        typeof child === "string" ? await this.#leaf(this.#partOf(child)) : await this.byHierarchy(child),
      );
    return this.#together(name, groups);
  }

  async greedily(): Promise<ComposedGroup> {
    let groups: ComposedGroup[] = [];
    for (const part of this.#network.parts.keys()) groups.push(await this.#leaf(part));
    const costs = new Map<ComposedGroup, Map<ComposedGroup, number>>();
    while (groups.length > 1) {
      const [first, second] = this.#cheapest(groups, costs);
      const joined = await this.#together(`${first.name} + ${second.name}`, [first, second]);
      groups = [...groups.filter((group) => group !== first && group !== second), joined];
    }
    return nth(groups, 0);
  }

  #partOf(name: string): number {
    const found = this.#network.parts.findIndex((part) => part.name === name);
    if (found < 0) throw new Error(`there is no part '${name}'`);
    return found;
  }

  /** Joined groups come first; a pair costs its states times the actions that it still shows. */
  #cheapest(
    groups: readonly ComposedGroup[],
    costs: Map<ComposedGroup, Map<ComposedGroup, number>>,
  ): readonly [ComposedGroup, ComposedGroup] {
    let best: readonly [ComposedGroup, ComposedGroup] = [nth(groups, 0), nth(groups, 1)];
    let least = Infinity;
    for (const [i, first] of groups.entries()) {
      const known = costs.get(first) ?? new Map<ComposedGroup, number>();
      costs.set(first, known);
      for (const second of groups.slice(i + 1)) {
        const cost = known.get(second) ?? this.#costOf(first, second);
        known.set(second, cost);
        if (cost < least) [least, best] = [cost, [first, second]];
      }
    }
    return best;
  }

  #costOf(first: ComposedGroup, second: ComposedGroup): number {
    const states = first.lts.states * second.lts.states;
    if (!this.#vectors.areJoined(first, second)) return FAR * states;
    return states * Math.max(1, this.#vectors.exportedBy(first, second));
  }

  #leaf(part: number): Promise<ComposedGroup> {
    const { name } = nth(this.#network.parts, part);
    return this.#reduce(name, this.#vectors.leaf(part), [{ part }], new Set([part]));
  }

  #together(name: string, groups: readonly ComposedGroup[]): Promise<ComposedGroup> {
    if (groups.length === 1) return Promise.resolve({ ...nth(groups, 0), name });
    return this.#reduce(name, this.#vectors.together(name, groups), groups, union(groups));
  }

  async #reduce(
    name: string,
    network: LtsNetwork,
    children: ComposedGroup["children"],
    parts: ReadonlySet<number>,
  ): Promise<ComposedGroup> {
    const names = network.parts.map((part) => part.name);
    const explored = await this.#tools.explore(network, this.#left());
    if ("stop" in explored) throw new Stopped(name, names, explored.stop, explored.states);
    const { lts: full, walk } = explored;
    const smaller = await this.#tools.minimise(full, this.#left());
    if ("stop" in smaller) throw new Stopped(name, names, smaller.stop, full.states);
    const { blocks, quotient } = smaller;
    this.log.push({
      name,
      parts: names,
      states: full.states,
      transitions: full.targets.length,
      minimal: { states: quotient.states, transitions: quotient.targets.length },
      exported: exportedLabels(quotient),
    });
    return { name, parts, lts: quotient, full, blocks, walk, children };
  }

  #left(): Budget {
    const { timeMs } = this.#budget;
    return timeMs === undefined
      ? this.#budget
      : { ...this.#budget, timeMs: Math.max(1, timeMs - (performance.now() - this.#started)) };
  }
}

/** Groups that share no step are joined last. */
const FAR = 1e12;
