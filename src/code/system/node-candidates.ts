/**
 * Partial-order reduction by node: in a state, groups of nodes whose steps may be explored instead of all steps.
 *
 * Commutation is known only for executed steps and recorded reads of conditions (`independence.ts`, `reads.ts`), and
 * both grow during a search. So every group that was explored alone is recorded, and verified at the end of the search
 * against the final data: `isSettled`. If one fails, the search is repeated with the data collected so far.
 * docs/decisions/node-partial-order.md proves the last search sound although it does not execute all steps.
 */
import type { Candidates, Kept, Property, Successors, System, Words } from "../../model/index.js";
import type { Enabled } from "./effects.js";
import { ExploredGroups } from "./explored-groups.js";
import { Independence, NO_NODE } from "./independence.js";
import type { SystemModel } from "./model.js";
import { Reads } from "./reads.js";
import { Visible } from "./visible.js";
import { nth } from "../../model/known.js";

/** Reason why no transition could be postponed in some states. */
export interface Hindrance {
  readonly why: string;
  /** The affected states; absent: all. */
  readonly when?: string;
  readonly property?: Property;
}

/** The reduction postpones too few transitions to pay off. */
export class NotWorthwhile extends Error {}

export class NodeCandidates implements Candidates {
  /** Throw `NotWorthwhile` in that case. */
  givesUp = false;
  /** Number of searches with refuted assumptions. */
  repeated = 0;
  readonly #model: SystemModel;
  readonly #independence: Independence;
  readonly #explored: ExploredGroups;
  /** Examined states, their steps, and the postponed steps. */
  #looked = 0;
  #steps = 0;
  #saved = 0;
  #mayFallApart = false;
  #isSettled = false;

  constructor(
    model: SystemModel,
    /** Recorded reads of each condition on states. */
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

  /** Whether all assumptions of the last search hold; otherwise it must be repeated. */
  isSettled(): boolean {
    this.#isSettled = this.#areGroupsValid();
    if (!this.#isSettled) this.repeated++;
    this.#looked = this.#steps = this.#saved = 0;
    return this.#isSettled;
  }

  /** Groups that can be explored alone, after the search has settled; before, none is certain. */
  settledGroups(state: Words): readonly number[] {
    // sound: test/code/system/commutation.test.ts
    if (!this.#isSettled || !this.#isUsed(state, 0)) return [];
    const enabled = this.#independence.enabledIn(state, 0);
    return enabled ? this.#independence.groupsIn(enabled) : [];
  }

  /** Over all searches so far. */
  hindrances(): readonly Hindrance[] {
    const why = "which every step changes that sends or gets a message";
    const observers = this.#model.invariants.filter((_, index) => this.reads[index]?.network);
    return [
      ...observers.map((property) => ({ why: `'${property.name}' looks at 'network', ${why}`, property })),
      ...(this.#mayFallApart ? [FALLING_APART] : []),
      ...(this.repeated > MOST_REPEATED
        ? [{ why: `its assumptions were refuted ${this.repeated} times` }]
        : []),
    ];
  }

  propose(state: Words, at: number, out: Int32Array): number {
    if (this.givesUp && this.#isUnprofitable()) throw new NotWorthwhile();
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
    if (groups.length > 0) this.#saved += all - stepsOf(nth(groups, 0), enabled);
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

  /** If a condition reads the network, it observes every step that sends or receives. */
  #isNetworkSeen(): boolean {
    return this.reads.some(({ network }) => network);
  }

  /** If few steps are postponed, hardly any state is saved, and the analysis costs more than it saves. */
  #isUnprofitable(): boolean {
    return this.#looked >= MANY_STATES && this.#saved < WORTH_ASKING * this.#steps;
  }

  #areGroupsValid(): boolean {
    if (this.#explored.count > 0 && this.#isNetworkSeen()) return false;
    return this.#explored.every((group, state, at) => {
      const enabled = this.#independence.enabledIn(state, at);
      return enabled !== undefined && this.#independence.interferingNode(group, enabled) === NO_NODE;
    });
  }
}

const stepsOf = (group: number, { movers }: Enabled): number =>
  movers.filter((mask) => (mask & ~group) === 0).length;

/** The system, with candidates for partial-order reduction. */
export const withCandidates = (system: System, candidates: Candidates): System => ({
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
  why: "that affects the steps of every node",
  when: "the network may fall apart ('partitions'), or a disk decay ('torn', 'corruptions')",
};

/** Sets of nodes are bits of a word. */
export const MOST_NODES = 30;

/** Afterwards the full search runs. */
const MOST_REPEATED = 4;

/**
 * Measured: with a quarter of the steps postponed (three routers, three messages in transit), 4 % fewer states in twice
 * the time; with half (Paxos), 27 % fewer.
 */
const WORTH_ASKING = 0.3;
const MANY_STATES = 2000;
