/**
 * Finds groups of nodes that can be explored alone in a state (persistent sets): their steps commute with all steps
 * that other nodes can take until a node of the group moves.
 *
 * The other nodes' future steps are computed from recorded steps, not from the code: starting with their states and the
 * messages in transit to them, recorded steps lead to further states and messages, transitively. This overapproximates
 * in that nothing is consumed, and underapproximates in that steps not yet executed are missing. So a result is
 * provisional, and the search verifies it at the end (`node-candidates.ts`).
 *
 * A step of another node interferes if it sends to the group, draws on the same budget, changes the number of packets
 * in a bounded network, or changes a condition's operands that the group also changes. Its node then joins the group.
 */
import type { Words } from "../../model/index.js";
import { StepEffects, bit, bitOf, united, type Effects, type Enabled } from "./effects.js";
import type { NodeSystem, NodeSystemParts } from "./node-system.js";
import { ReachableSteps, type PossibleStep, type Trigger } from "./reachable-steps.js";
import type { Visible } from "./visible.js";
import { nth } from "../../model/known.js";

export class Independence {
  readonly #parts: NodeSystemParts;
  readonly #system: NodeSystem;
  readonly #visible: Visible;
  readonly #isBounded: boolean;
  readonly #effects: StepEffects;
  readonly #arrivals = new Map<number, Trigger>();
  /** By node, local state and remaining budgets. */
  readonly #triggers: readonly Map<number, Map<number, readonly Trigger[]>>[];
  readonly #messageCalls = new Map<number, number>();

  constructor(parts: NodeSystemParts, system: NodeSystem, visible: Visible) {
    this.#parts = parts;
    this.#system = system;
    this.#visible = visible;
    this.#triggers = parts.nodes.map(() => new Map<number, Map<number, readonly Trigger[]>>());
    this.#effects = new StepEffects(parts, system, visible);
    this.#isBounded = parts.network.capacity < Infinity;
  }

  /** Undefined: all steps are dependent, because the network may be partitioned or a disk may decay. */
  enabledIn(state: Words, at: number): Enabled | undefined {
    return this.#effects.enabledIn(state, at);
  }

  /** Groups that can be explored alone (bit i for node i). */
  groupsIn(enabled: Enabled): number[] {
    const movers = enabled.movers.reduce((all, mask) => all | mask, 0);
    const answers = new Map<number, number>();
    const groups = new Set<number>();
    for (let node = 0; node < this.#parts.nodes.length; node++)
      if ((movers >> node) & 1) groups.add(this.#groupOf(node, movers, enabled, answers));
    groups.delete(0);
    return [...groups];
  }

  /** The group of `node`; 0: none, or too expensive to compute. */
  #groupOf(node: number, movers: number, enabled: Enabled, answers: Map<number, number>): number {
    for (let group = 1 << node; ;) {
      if ((movers & ~group) === 0) return 0;
      const other = answers.get(group) ?? this.interferingNode(group, enabled);
      answers.set(group, other);
      if (other === NO_NODE) return group;
      if (other === UNKNOWN) return 0;
      group |= 1 << other;
    }
  }

  /** A node outside the group with a step that does not commute with one of the group; or `NO_NODE`. */
  interferingNode(group: number, enabled: Enabled): number {
    const together = united(enabled.steps, group);
    if (together.isLosing) return UNKNOWN;
    const others = new ReachableSteps(this.#parts.nodes.length);
    const begun = this.#begin(others, group, enabled, together);
    if (begun !== NO_NODE) return begun;
    for (let effort = 0; ; effort++) {
      const step = others.next();
      if (!step) return NO_NODE;
      if (effort === MOST_EFFORT) return UNKNOWN;
      if (this.#disturbs(step, others, group, enabled, together)) return step.node;
    }
  }

  #begin(others: ReachableSteps, group: number, { state, at, left }: Enabled, together: Effects): number {
    const { nodes, network, words, budgets } = this.#parts;
    const mayLose = this.#mayLose(left);
    for (const number of network.packets(nth(state, at + words.network))) {
      const { to } = network.packet(number);
      const outside = to.filter((node) => ((group >> node) & 1) === 0);
      if (outside.length === 0) continue;
      // A multicast packet is lost for all receivers at once, and occupies the network until the last delivery.
      if ((mayLose || this.#isBounded) && outside.length < to.length) return nth(outside, 0);
      if ((together.budgets & left & bitOf(budgets.losses)) !== 0) return nth(outside, 0);
      for (const node of outside) others.arrive(node, this.#delivery(number, to.length, left));
    }
    for (let node = 0; node < nodes.length; node++)
      if (((group >> node) & 1) === 0)
        others.enter(node, nth(state, at + node), this.#own(node, nth(state, at + node), left));
    return NO_NODE;
  }

  #mayLose(left: number): boolean {
    const { budgets, summary } = this.#parts;
    return summary.network.loss === true || (left & bitOf(budgets.losses)) !== 0;
  }

  /** Follows one step of another node; returns whether it interferes. */
  #disturbs(
    { node, local, trigger }: PossibleStep,
    others: ReachableSteps,
    group: number,
    { state, at, left }: Enabled,
    together: Effects,
  ): boolean {
    if (trigger === CRASH) return this.#crashes(node, local, others, left, together);
    const { nodes, steps, network, budgets, words } = this.#parts;
    if (nth(nodes, node).state(local).isUp === trigger.isStart) return false;
    const failing = left & bit(budgets.failures);
    const crashing = left & bit(budgets.crashes);
    // Failures may be consumed meanwhile.
    const failures = this.#system.failuresLeft(state, at);
    for (const outcome of steps.known(node, local, trigger.call, failures)) {
      if (outcome.crash && crashing === 0) continue;
      const drawn =
        trigger.budgets |
        (outcome.report.asked.length > 0 ? failing : 0) |
        // sound: test/code/system/crashes.test.ts
        (outcome.crash ? crashing : 0);
      if ((drawn & left & together.budgets) !== 0) return true;
      if (outcome.next === 0 || outcome.isDiscarded) continue;
      if ((together.seenBy & this.#visible.seenBy(node, local, outcome.next)) !== 0) return true;
      const sendings = this.#effects.sendingsOf(node, outcome);
      if (this.#isBounded && together.isSizing && sendings.length > trigger.frees) return true;
      for (const { to, mask, message, call } of sendings) {
        if ((mask & group) !== 0) {
          // Another equal packet, only to the group, enables no new step.
          const content = nth(state, at + words.network);
          const isCovered = network.isCovered(content, { from: node, to, message }, this.#mayLose(left));
          if ((mask & ~group) !== 0 || !isCovered) return true;
        }
        if ((mask & ~group) !== 0 && (together.budgets & left & bitOf(budgets.losses)) !== 0) return true;
        for (const receiver of to)
          if (((group >> receiver) & 1) === 0) others.arrive(receiver, this.#arrival(call, to.length, left));
      }
      others.enter(node, outcome.next, this.#own(node, outcome.next, left));
    }
    return false;
  }

  #crashes(node: number, local: number, others: ReachableSteps, left: number, together: Effects): boolean {
    if ((bit(this.#parts.budgets.crashes) & together.budgets) !== 0) return true;
    for (const after of this.#system.crashesOf(node, local)) {
      if ((together.seenBy & this.#visible.seenBy(node, local, after)) !== 0) return true;
      others.enter(node, after, this.#own(node, after, left));
    }
    return false;
  }

  #delivery(packet: number, receivers: number, left: number): Trigger {
    let call = this.#messageCalls.get(packet);
    if (call === undefined) {
      const { from, message } = this.#parts.network.packet(packet);
      call = this.#effects.callOf(from, message);
      this.#messageCalls.set(packet, call);
    }
    return this.#arrival(call, receivers, left);
  }

  /** A message that may be duplicated need not leave the network. */
  #arrival(call: number, receivers: number, left: number): Trigger {
    const twice = left & bit(this.#parts.budgets.duplicates);
    const isAlone = receivers === 1 && twice === 0;
    const key = 4 * call + (isAlone ? 2 : 0) + (twice === 0 ? 0 : 1);
    let known = this.#arrivals.get(key);
    if (!known) {
      known = { call, isStart: false, frees: isAlone ? 1 : 0, budgets: twice };
      this.#arrivals.set(key, known);
    }
    return known;
  }

  #own(node: number, local: number, left: number): readonly Trigger[] {
    const ofNode = nth(this.#triggers, node);
    let byBudgets = ofNode.get(local);
    if (!byBudgets) ofNode.set(local, (byBudgets = new Map()));
    let known = byBudgets.get(left);
    if (!known) byBudgets.set(left, (known = this.#findOwn(node, local, left)));
    return known;
  }

  /** Steps that a node can take spontaneously in a local state. */
  #findOwn(node: number, local: number, left: number): Trigger[] {
    const { nodes, steps, summary, budgets } = this.#parts;
    const { isUp, side, pending } = nth(nodes, node).state(local);
    const plain = (call: number, drawn = 0, isStart = false): Trigger => ({
      call,
      isStart,
      frees: 0,
      budgets: drawn,
    });
    if (!isUp) return [plain(steps.callNumber({ kind: "start" }), 0, true)];
    const triggers = [
      ...side.timers.map(({ name }) => plain(steps.callNumber({ kind: "timer", name }))),
      ...pending.map((_, index) => plain(steps.callNumber({ kind: "pending", index }))),
    ];
    for (const [action, { name, on, values }] of summary.actions.entries()) {
      const drawn = nth(budgets.actions, action).reduce((mask, budget) => mask | bit(budget), 0);
      if (!on.includes(nth(summary.nodes, node)) || (drawn & ~left) !== 0) continue;
      values.forEach((_, value) =>
        triggers.push(plain(steps.callNumber({ kind: "action", name, value }), drawn)),
      );
    }
    const { crashing = summary.nodes } = summary.faults;
    const mayCrash = crashing.includes(nth(summary.nodes, node)) && (left & bit(budgets.crashes)) !== 0;
    return mayCrash ? [...triggers, CRASH] : triggers;
  }
}

export const NO_NODE = -1;
const UNKNOWN = -2;

/** Limit of followed steps: useful groups are found within a few dozen. */
const MOST_EFFORT = 400;

const CRASH: Trigger = { call: -1, isStart: false, frees: 0, budgets: 0 };
