/**
 * Partial-order reduction by node: in a state, groups of nodes whose steps may be explored instead of all steps.
 *
 * Whether a group commutes with the others is known only as far as steps were made and conditions have looked at nodes
 * (`independence.ts`, `reads.ts`). Both grow while a search goes on. So every group that was explored alone is noted, and when the
 * search has ended each of them is asked for once more, with what is known then: `isSettled`. If one of them would not be proposed
 * again, the search is to be repeated; what is known stays. Why the answer of the last search can be relied on, although it has
 * not made all steps, is told in docs/decisions/node-partial-order.md.
 */
import type { Candidates, Kept, Property, Successors, System, Words } from "../../model/index.js";
import type { Enabled } from "./effects.js";
import { ExploredGroups } from "./explored-groups.js";
import { Independence, NOBODY } from "./independence.js";
import type { SystemModel } from "./model.js";
import { Reads } from "./reads.js";
import { Visible } from "./visible.js";

/** Why nothing could be put off in states that were looked at. */
export interface Hindrance {
  readonly why: string;
  /** In which states; absent: in all. */
  readonly when?: string;
  /** What is to blame. */
  readonly property?: Property;
}

/** So little can be put off that the search is better off without the reduction. */
export class NotWorthwhile extends Error {}

export class NodeCandidates implements Candidates {
  /** Throw `NotWorthwhile` where it is so. */
  givesUp = false;
  /** Searches that relied on something which turned out wrong. */
  repeated = 0;
  readonly #model: SystemModel;
  readonly #independence: Independence;
  readonly #explored: ExploredGroups;
  /** States that were looked at, their steps, and how many of these are put off. */
  #looked = 0;
  #steps = 0;
  #saved = 0;
  #mayFallApart = false;
  #isSettled = false;

  constructor(
    model: SystemModel,
    /** What each of the model's conditions on states has looked at. */
    readonly reads: readonly Reads[] = model.invariants.map(() => new Reads()),
    independence = new Independence(model.parts, model.nodeSystem, new Visible(model.nodes, reads)),
  ) {
    this.#model = model;
    this.#explored = new ExploredGroups(model.nodeSystem.width);
    this.#independence = independence;
  }

  get kept(): Kept {
    return this.#explored;
  }

  /** Has everything been true that the last search relied on? If not, it has to be repeated. */
  isSettled(): boolean {
    this.#isSettled = this.#stands();
    if (!this.#isSettled) this.repeated++;
    this.#looked = this.#steps = this.#saved = 0;
    return this.#isSettled;
  }

  /** The groups that a search could explore alone in a state, once what it relied on was true; before, none is certain. */
  settledGroups(state: Words): readonly number[] {
    // sound: test/code/system/commutation.test.ts
    if (!this.#isSettled || !this.#isUsed(state, 0)) return [];
    const enabled = this.#independence.enabledIn(state, 0);
    return enabled ? this.#independence.groupsIn(enabled) : [];
  }

  /** Of all searches up to now. */
  hindrances(): readonly Hindrance[] {
    const why = "which every step changes that sends or gets a message";
    const observers = this.#model.invariants.filter((_, index) => this.reads[index]?.network);
    return [
      ...observers.map((property) => ({ why: `'${property.name}' looks at 'network', ${why}`, property })),
      ...(this.#mayFallApart ? [FALLING_APART] : []),
      ...(this.repeated > MOST_REPEATED
        ? [{ why: `what it relied on was wrong ${this.repeated} times` }]
        : []),
    ];
  }

  propose(state: Words, at: number, out: Int32Array): number {
    if (this.givesUp && this.#isInVain()) throw new NotWorthwhile();
    if (!this.#isUsed(state, at)) return 0;
    const enabled = this.#independence.enabledIn(state, at);
    if (!enabled) {
      this.#mayFallApart = true;
      return 0;
    }
    const groups = this.#independence
      .groupsIn(enabled)
      .sort((a, b) => stepsOf(a, enabled) - stepsOf(b, enabled));
    const all = enabled.movers.length;
    this.#looked++;
    this.#steps += all;
    if (groups.length > 0) this.#saved += all - stepsOf(groups[0]!, enabled);
    groups.forEach((group, i) => (out[i] = group));
    return groups.length;
  }

  successorsOf(group: number, state: Words, at: number, out: Successors): void {
    this.#explored.add(group, state, at);
    this.#model.nodeSystem.successorsOf(group, state, at, out);
  }

  #isUsed(state: Words, at: number): boolean {
    if (this.#isNetworkSeen() || this.repeated > MOST_REPEATED) return false;
    // Starts belong to no node.
    return !this.#model.nodeSystem.isRoot(state, at); // sound: test/code/system/crashes.test.ts test/code/system/order.test.ts
  }

  /** Then every step that sends or gets something is one that a condition sees. */
  #isNetworkSeen(): boolean {
    return this.reads.some(({ network }) => network);
  }

  /** Where little can be put off, hardly a state is left out, and asking and watching take longer than that saves. */
  #isInVain(): boolean {
    return this.#looked >= MANY_STATES && this.#saved < WORTH_ASKING * this.#steps;
  }

  #stands(): boolean {
    if (this.#explored.count > 0 && this.#isNetworkSeen()) return false;
    return this.#explored.every((group, state, at) => {
      const enabled = this.#independence.enabledIn(state, at);
      return enabled !== undefined && this.#independence.inTheWay(group, enabled) === NOBODY;
    });
  }
}

const stepsOf = (group: number, { movers }: Enabled): number =>
  movers.filter((mask) => (mask & ~group) === 0).length;

/** The system, with what may be explored alone in its states. */
export const proposing = (system: System, candidates: Candidates): System => ({
  width: system.width,
  compareFrom: system.compareFrom,
  ...(system.labels ? { labels: system.labels } : {}),
  ...(system.hasRoot ? { hasRoot: true } : {}),
  initial: (out) => system.initial(out),
  successors: (state, at, out) => system.successors(state, at, out),
  status: (state, at) => system.status(state, at),
  candidates: {
    propose: (state, at, out) => candidates.propose(state, at, out),
    successorsOf: (group, state, at, out) => candidates.successorsOf(group, state, at, out),
    // sound: test/code/system/reductions.test.ts
    isProvisional: true,
    ...(candidates.kept ? { kept: candidates.kept } : {}),
  },
});

const FALLING_APART: Hindrance = {
  why: "that concerns what every node can do",
  when: "the network may fall apart ('partitions')",
};

/** Nodes that do not fit into the bits of a word are not told apart. */
export const MOST_NODES = 30;

/** Then all is searched. */
const MOST_REPEATED = 4;

/**
 * Measured: where a quarter of the steps is put off (three routers, three messages under way) there are 4 % fewer states in twice the
 * time; where half of them is (Paxos), 27 % fewer.
 */
const WORTH_ASKING = 0.3;
const MANY_STATES = 2000;
